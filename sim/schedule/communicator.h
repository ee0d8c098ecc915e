#pragma once
// Who talks with whom. A communicator of NCCL is an ordered list of ranks; all ranks of a job run
// the same program, so what a program names is a family of them: "shard" is the communicator of
// the rank's own shard group, as an axis of PyTorch's DeviceMesh is.

#include <string>
#include <vector>

namespace heddle::schedule {

/// One NCCL communicator per group. Groups are disjoint and of one size; op i of a rank on it meets
/// op i of every other rank of its group.
struct Communicator {
  std::string name;
  std::vector<std::vector<int>> groups;  // ordered ranks

  /// Ranks of a group.
  std::size_t size() const { return groups.empty() ? 0 : groups.front().size(); }
};

/// "world": the one group of all ranks.
Communicator world_communicator(int ranks);
/// By rank, the number of its group, or -1 where it is in none.
std::vector<int> group_of_rank(const Communicator& communicator, int rank_count);
/// The rank's place in its group, or -1 if it is in none.
int position_in_group(const Communicator& communicator, int rank);

}  // namespace heddle::schedule
