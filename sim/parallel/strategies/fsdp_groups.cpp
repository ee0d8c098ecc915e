#include "sim/parallel/strategies/fsdp_groups.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::parallel {
namespace {

int group_size(const PlanInput& input) {
  const std::int64_t stated = input.options.fsdp.shard_group;
  return stated > 0 ? static_cast<int>(stated) : input.ranks_per_node;
}

}  // namespace

bool is_hybrid(FsdpSharding sharding) {
  return sharding == FsdpSharding::kHybrid || sharding == FsdpSharding::kHybridGradOp;
}

bool keeps_weights_for_backward(FsdpSharding sharding) {
  return sharding == FsdpSharding::kGradOp || sharding == FsdpSharding::kHybridGradOp;
}

FsdpGroups fsdp_groups(const PlanInput& input) {
  const FsdpSharding sharding = input.options.fsdp.sharding_strategy;
  if (sharding == FsdpSharding::kNone) return {1, 1};
  if (!is_hybrid(sharding)) return {input.ranks, 1};
  return {group_size(input), input.ranks / group_size(input)};
}

std::vector<schedule::Communicator> fsdp_communicators(const PlanInput& input) {
  std::vector<schedule::Communicator> all{schedule::world_communicator(input.ranks)};
  const FsdpGroups groups = fsdp_groups(input);
  if (groups.replicas == 1) return all;
  schedule::Communicator shard{"shard", {}};
  schedule::Communicator replicate{"replicate", {}};
  shard.groups.resize(static_cast<std::size_t>(groups.replicas));
  replicate.groups.resize(static_cast<std::size_t>(groups.shards));
  for (int rank = 0; rank < input.ranks; ++rank) {
    shard.groups[static_cast<std::size_t>(rank / groups.shards)].push_back(rank);
    replicate.groups[static_cast<std::size_t>(rank % groups.shards)].push_back(rank);
  }
  all.push_back(std::move(shard));
  all.push_back(std::move(replicate));
  return all;
}

std::string hybrid_problem(const PlanInput& input) {
  const std::int64_t stated = input.options.fsdp.shard_group;
  if (!is_hybrid(input.options.fsdp.sharding_strategy)) {
    return stated == 0 ? "" : "shard_group belongs to the hybrid strategies";
  }
  if (stated == 0 && input.ranks_per_node == 0) {
    return "shard groups are the machines, but these hold unequal numbers of ranks or not in their "
           "order; set shard_group";
  }
  const std::int64_t size = stated > 0 ? stated : input.ranks_per_node;
  if (size > input.ranks || input.ranks % size != 0) {
    return fmt::format("{} ranks cannot be divided into shard groups of {}", input.ranks, size);
  }
  if (size == 1 && input.ranks > 1) {
    return "a shard group of one rank shards nothing (FSDP 1 then even stops reducing across "
           "replicas); take ddp";
  }
  return "";
}

}  // namespace heddle::parallel
