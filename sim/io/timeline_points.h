#pragma once
// A memory curve thinned for files: few points, but none of the peaks lost.

#include <cstddef>
#include <span>
#include <vector>

#include "sim/engine/run_result.h"

namespace heddle::io {

struct TimelinePoint {
  SimTime time;
  Bytes total;
};

/// At most `limit` (at least 4) points: all of them if they fit, else the lowest and the highest of
/// each of limit / 2 stretches with equally many samples, in order.
std::vector<TimelinePoint> timeline_points(std::span<const engine::MemorySample> samples,
                                           std::size_t limit);

}  // namespace heddle::io
