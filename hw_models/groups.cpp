#include "hw_models/groups.h"

#include <algorithm>

namespace heddle::hw_models {

std::vector<int> connected_groups(std::size_t count,
                                  const std::function<bool(std::size_t, std::size_t)>& joined) {
  std::vector<int> group(count, -1);
  int next = 0;
  for (std::size_t seed = 0; seed < count; ++seed) {
    if (group[seed] >= 0) continue;
    std::vector<std::size_t> open = {seed};
    group[seed] = next;
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      for (std::size_t other = 0; other < count; ++other) {
        if (group[other] >= 0 || !joined(at, other)) continue;
        group[other] = next;
        open.push_back(other);
      }
    }
    ++next;
  }
  return group;
}

int group_count(const std::vector<int>& groups) {
  return groups.empty() ? 0 : 1 + *std::max_element(groups.begin(), groups.end());
}

}  // namespace heddle::hw_models
