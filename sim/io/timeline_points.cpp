#include "sim/io/timeline_points.h"

#include <algorithm>

#include "sim/base/check.h"

namespace heddle::io {

std::vector<TimelinePoint> timeline_points(std::span<const engine::MemorySample> samples,
                                           std::size_t limit) {
  HEDDLE_CHECK(limit >= 4, "too few points for a curve");
  std::vector<TimelinePoint> all;
  all.reserve(samples.size());
  for (const engine::MemorySample& s : samples) all.push_back({s.time, s.total()});
  if (all.size() <= limit) return all;
  std::vector<TimelinePoint> kept;
  const std::size_t stretches = limit / 2;
  for (std::size_t i = 0; i < stretches; ++i) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(all.size() * i / stretches);
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(all.size() * (i + 1) / stretches);
    auto [low, high] = std::minmax_element(
        first, last, [](const auto& a, const auto& b) { return a.total < b.total; });
    if (high < low) std::swap(low, high);
    kept.push_back(*low);
    if (low != high) kept.push_back(*high);
  }
  return kept;
}

}  // namespace heddle::io
