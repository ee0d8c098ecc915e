#pragma once
// Quantities as text that reads back as the very same value.

#include <string>

#include "sim/base/units.h"

namespace heddle::io {

/// In the largest unit that needs no fraction.
std::string exact_text(Duration time);
std::string exact_text(Bytes bytes);
/// "370.8 GB/s"; exact to the byte per second.
std::string exact_text(Bandwidth rate);
/// "0.3 us"; exact to the picosecond.
std::string exact_decimal(Duration time);

}  // namespace heddle::io
