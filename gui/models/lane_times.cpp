#include "gui/models/lane_times.h"

#include <cmath>
#include <numeric>

namespace heddle::gui {

std::int64_t busy_time(const LaneIndex& lane, Span span) {
  const std::int64_t begin = std::llround(span.begin);
  std::size_t from = lane.first_after(begin);
  PaintTimes times = lane.busy(begin, std::llround(span.end), from);
  times[static_cast<std::size_t>(Paint::kWait)] = 0;
  return std::accumulate(times.begin(), times.end(), std::int64_t{0});
}

}  // namespace heddle::gui
