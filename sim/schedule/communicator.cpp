#include "sim/schedule/communicator.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle::schedule {

Communicator world_communicator(int ranks) {
  std::vector<int> everyone(static_cast<std::size_t>(ranks));
  std::iota(everyone.begin(), everyone.end(), 0);
  Communicator world{"world", {}};
  world.groups.push_back(std::move(everyone));
  return world;
}

std::vector<int> group_of_rank(const Communicator& communicator, int rank_count) {
  std::vector<int> group_of(static_cast<std::size_t>(rank_count), -1);
  for (std::size_t g = 0; g < communicator.groups.size(); ++g) {
    for (const int rank : communicator.groups[g]) {
      group_of[static_cast<std::size_t>(rank)] = static_cast<int>(g);
    }
  }
  return group_of;
}

int position_in_group(const Communicator& communicator, int rank) {
  for (const std::vector<int>& group : communicator.groups) {
    const auto found = std::find(group.begin(), group.end(), rank);
    if (found != group.end()) return static_cast<int>(found - group.begin());
  }
  return -1;
}

}  // namespace heddle::schedule
