#pragma once
// Shares written as "2 %", exact to a millionth of a percent, so that text and share convert into
// each other without drift.

#include <string>
#include <string_view>

#include "sim/base/units_text.h"

namespace heddle::io {

/// 0.02 for "2 %"; from 0 to below 100 %.
Parsed<double> parse_percent(std::string_view text);
/// "2 %"; the inverse of parse_percent.
std::string percent_text(double share);

}  // namespace heddle::io
