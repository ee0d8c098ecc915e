#pragma once
// Positions grouped by a relation between pairs.

#include <functional>
#include <vector>

namespace heddle::hw_models {

/// The group of each of `count` positions: those connected by `joined` (symmetric), numbered from 0
/// in order of their first member.
std::vector<int> connected_groups(std::size_t count,
                                  const std::function<bool(std::size_t, std::size_t)>& joined);

/// How many groups there are.
int group_count(const std::vector<int>& groups);

}  // namespace heddle::hw_models
