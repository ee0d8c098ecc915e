#pragma once
// Links that nothing tells apart: as wide as each other and used by the same activities with the
// same weights. They are full at the same moment at the same level, so one of them stands for all
// in the fluid network, which then costs what a job's pattern needs, not what its cluster has: a
// ring over 2,048 machines uses some 100,000 links of a few classes. Exact.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/fluid_network.h"

namespace heddle::engine {

class LinkClasses {
 public:
  explicit LinkClasses(std::span<const Bandwidth> capacities);

  /// Splits the classes by what one activity uses: each resource once. All activities must be told
  /// before the first keep_first().
  void split_by(std::span<const ResourceUse> uses);
  /// Leaves the first link of each class.
  void keep_first(std::vector<ResourceUse>& uses);

 private:
  std::vector<std::uint32_t> class_of_;
  std::uint32_t classes_ = 0;
  std::vector<std::uint32_t> seen_in_;  // by class, the last call of keep_first()
  std::uint32_t call_ = 0;
};

}  // namespace heddle::engine
