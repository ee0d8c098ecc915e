#pragma once
// Sizes as text in the unit that the window is switched to. Tables of `heddle run` keep GB, as
// their columns say.

#include <cstdint>
#include <string>

#include "sim/base/units.h"

namespace heddle::gui {

enum class ByteUnit : std::uint8_t { kDecimal, kBinary };

/// Of the whole window; only its own thread reads and writes it.
ByteUnit byte_unit();
void set_byte_unit(ByteUnit unit);

/// "85.10 GB" or "79.25 GiB".
std::string byte_text(Bytes bytes);

/// For an axis that ends at `top` bytes: what its numbers are multiples of.
struct ByteScale {
  double bytes = 1;
  const char* name = "B";
};
ByteScale byte_scale(double top);

}  // namespace heddle::gui
