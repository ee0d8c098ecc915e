#include "sim/collective/link_load.h"

#include <cmath>
#include <cstddef>

#include "sim/base/check.h"
#include "sim/base/int128.h"

namespace heddle::collective {
namespace {

/// Parts per billion of the payload, rounded up, that `crossings` keep a link busy for.
std::int64_t occupancy_ppb(std::int64_t crossings, Share share, double efficiency) {
  HEDDLE_CHECK(efficiency > 0 && efficiency <= 1, "efficiency outside (0, 1]");
  const std::int64_t efficiency_ppb = std::llround(efficiency * static_cast<double>(kPpb));
  const Int128 busy = static_cast<Int128>(crossings) * share.num * kPpb * kPpb;
  const Int128 scale = static_cast<Int128>(share.den) * efficiency_ppb;
  return static_cast<std::int64_t>((busy + scale - 1) / scale);
}

std::int64_t bytes_ppb(std::int64_t crossings, Share share) {
  const Int128 bytes = static_cast<Int128>(crossings) * share.num * kPpb;
  return static_cast<std::int64_t>((2 * bytes + share.den) / (2 * share.den));
}

}  // namespace

void LinkLoad::cross(fabric::LinkId link, Transport transport, std::int64_t times) {
  HEDDLE_CHECK(transport < Transport::kSelf, "a hop to oneself crosses no link");
  crossings_[link][static_cast<std::size_t>(transport)] += times;
}

void LinkLoad::cross(const Hop& hop, std::int64_t times) {
  for (fabric::LinkId link : hop.links) cross(link, hop.transport, times);
}

std::vector<LinkUse> LinkLoad::uses(Share share, const Efficiencies& efficiency) const {
  std::vector<LinkUse> uses;
  for (const auto& [link, by_transport] : crossings_) {
    LinkUse use{link, 0, 0};
    std::int64_t total = 0;
    for (std::size_t t = 0; t < by_transport.size(); ++t) {
      if (by_transport[t] == 0) continue;
      use.occupancy_ppb += occupancy_ppb(by_transport[t], share, efficiency[t]);
      total += by_transport[t];
    }
    if (total == 0) continue;
    use.bytes_ppb = bytes_ppb(total, share);
    uses.push_back(use);
  }
  return uses;
}

}  // namespace heddle::collective
