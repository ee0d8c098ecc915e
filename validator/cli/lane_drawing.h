#pragma once
// Lanes of a validation as inline SVG: of each rank and stream what was predicted above what was
// measured, on one axis of time.

#include <string>

#include "validator/judge/report_lanes.h"

namespace heddle::validator_cli {

/// "" if nothing was measured. Ranks beyond the first eight are left out, and said to be.
std::string lane_drawing(const judge::ReportLanes& lanes);

/// For text between tags and in attributes.
std::string html_escaped(std::string_view text);

}  // namespace heddle::validator_cli
