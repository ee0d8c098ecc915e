#pragma once
// Numbers for columns whose unit stands in the header: three to four significant digits.

#include <string>

#include "sim/base/units.h"

namespace heddle::cli {

std::string gb_text(Bytes bytes);          // 85.1 for "GB"
std::string ms_text(Duration duration);    // 205 for "ms"
std::string us_text(Duration duration);    // 12.34 for "us"
std::string magnitude_text(double value);  // 19980
std::string percent_text(double share);    // 0.412 gives "41.2"

}  // namespace heddle::cli
