#pragma once
// Who shards with whom. Hybrid sharding (torch/distributed/fsdp/_init_utils.py,
// _init_process_group_state_for_hybrid_shard; FSDP 2: a mesh of (replicate, shard)) cuts a unit
// into as many shards as a shard group has ranks, consecutive ones, by default those of a machine.
// Rank i of every group holds the same shard: these are the replicas, which all-reduce it.

#include <string>
#include <vector>

#include "sim/parallel/strategy.h"

namespace heddle::parallel {

struct FsdpGroups {
  int shards = 1;    // parts that a unit is cut into; 1: not sharded
  int replicas = 1;  // of each shard, all-reduced after the reduce-scatter
};

/// Of an input that hybrid_problem() does not refuse.
FsdpGroups fsdp_groups(const PlanInput& input);

/// The world and, with replicas, "shard" and "replicate".
std::vector<schedule::Communicator> fsdp_communicators(const PlanInput& input);
inline constexpr schedule::CommunicatorId kShardCommunicator{1};
inline constexpr schedule::CommunicatorId kReplicateCommunicator{2};

bool is_hybrid(FsdpSharding sharding);
/// HYBRID_SHARD shards like FULL_SHARD within its group, _HYBRID_SHARD_ZERO2 like SHARD_GRAD_OP.
bool keeps_weights_for_backward(FsdpSharding sharding);

/// Why the ranks cannot be divided so, or "".
std::string hybrid_problem(const PlanInput& input);

}  // namespace heddle::parallel
