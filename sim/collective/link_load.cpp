#include "sim/collective/link_load.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/int128.h"

namespace heddle::collective {
namespace {

constexpr std::size_t kManyCrossings = 4096;

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

/// In order of link and transport, each once.
void LinkLoad::sum() const {
  if (summed_ == crossings_.size()) return;
  const auto key = [](const Crossing& c) { return std::pair(c.link, c.transport); };
  std::sort(crossings_.begin(), crossings_.end(),
            [&](const Crossing& a, const Crossing& b) { return key(a) < key(b); });
  std::size_t kept = 0;
  for (const Crossing& c : crossings_) {
    if (kept > 0 && key(crossings_[kept - 1]) == key(c)) {
      crossings_[kept - 1].times += c.times;
    } else {
      crossings_[kept++] = c;
    }
  }
  crossings_.resize(kept);
  summed_ = kept;
}

void LinkLoad::cross(fabric::LinkId link, Transport transport, std::int64_t times) {
  HEDDLE_CHECK(transport < Transport::kSelf, "a hop to oneself crosses no link");
  // Pairs of ranks cross links n^2 times.
  if (crossings_.size() >= 2 * summed_ + kManyCrossings) sum();
  crossings_.push_back({link, transport, times});
}

void LinkLoad::cross(const Hop& hop, std::int64_t times) {
  for (fabric::LinkId link : hop.links) cross(link, hop.transport, times);
}

std::vector<LinkUse> LinkLoad::uses(Share share, const Efficiencies& efficiency) const {
  sum();
  std::vector<LinkUse> uses;
  std::int64_t total = 0;  // over the link at hand
  for (const Crossing& c : crossings_) {
    if (c.times == 0) continue;
    if (uses.empty() || uses.back().link != c.link) {
      uses.push_back({c.link, 0, 0});
      total = 0;
    }
    LinkUse& use = uses.back();
    use.occupancy_ppb +=
        occupancy_ppb(c.times, share, efficiency[static_cast<std::size_t>(c.transport)]);
    total += c.times;
    use.bytes_ppb = bytes_ppb(total, share);
  }
  return uses;
}

}  // namespace heddle::collective
