#pragma once
// Adds up how often a collective crosses each link and turns that into exact link weights.

#include <array>
#include <cstddef>
#include <cstdint>
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
  struct Crossing {
    fabric::LinkId link;
    Transport transport;
    std::int64_t times;
  };
  void sum() const;

  // Appended to, and summed up when someone looks: not to be read from two threads.
  mutable std::vector<Crossing> crossings_;
  mutable std::size_t summed_ = 0;  // the first of them, in order, each link and transport once
};

}  // namespace heddle::collective
