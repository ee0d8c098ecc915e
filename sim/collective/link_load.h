#pragma once
// Adds up how often a collective crosses each link and turns that into exact link weights.

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/collective/path_rules.h"
#include "sim/collective/share.h"
#include "sim/collective/types.h"

namespace heddle::collective {

/// Achieved share of a link's capacity by transport of the hop, (0, 1].
using Efficiencies = std::array<double, 4>;

class LinkLoad {
 public:
  void cross(fabric::LinkId link, Transport transport, std::int64_t times = 1);
  void cross(const Hop& hop, std::int64_t times = 1);
  /// Each crossing carries `share` of the payload. In link order.
  std::vector<LinkUse> uses(Share share, const Efficiencies& efficiency) const;

 private:
  using Crossings = std::array<std::int64_t, 4>;  // by transport
  std::map<fabric::LinkId, Crossings> crossings_;
};

}  // namespace heddle::collective
