#pragma once
// Why a point or a case was not run, on one line.

#include <string>

#include "sim/base/diagnostics.h"

namespace heddle::sweep {

/// Every error: place, what is wrong, what to do about it.
std::string refusal_text(const Diagnostics& problems);
/// Line breaks and runs of blanks become one blank.
std::string one_line(const std::string& text);

}  // namespace heddle::sweep
