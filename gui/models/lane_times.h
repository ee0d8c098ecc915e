#pragma once
// What a stretch of time adds up to on a lane.

#include <cstdint>

#include "gui/models/lane_index.h"

namespace heddle::gui {

/// Picoseconds in which the lane works; waiting is no work.
std::int64_t busy_time(const LaneIndex& lane, Span span);

}  // namespace heddle::gui
