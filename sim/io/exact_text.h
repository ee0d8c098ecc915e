#pragma once
// Quantities as text that reads back as the very same value, in the largest unit that needs no
// fraction.

#include <string>

#include "sim/base/units.h"

namespace heddle::io {

std::string exact_text(Duration time);
std::string exact_text(Bytes bytes);
/// In MB/s, with up to six decimals; exact up to 10^15 bytes per second.
std::string exact_text(Bandwidth rate);

}  // namespace heddle::io
