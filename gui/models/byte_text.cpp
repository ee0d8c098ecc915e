#include "gui/models/byte_text.h"

#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {
ByteUnit unit_now = ByteUnit::kDecimal;
}

ByteUnit byte_unit() {
  return unit_now;
}

void set_byte_unit(ByteUnit unit) {
  unit_now = unit;
}

std::string byte_text(Bytes bytes) {
  return unit_now == ByteUnit::kBinary ? format_bytes_binary(bytes) : format_bytes(bytes);
}

ByteScale byte_scale(double top) {
  constexpr double kMiB = 1 << 20;
  constexpr double kGiB = 1 << 30;
  if (unit_now == ByteUnit::kBinary) {
    return top >= kGiB ? ByteScale{kGiB, "GiB"} : ByteScale{kMiB, "MiB"};
  }
  return top >= 1e9 ? ByteScale{1e9, "GB"} : ByteScale{1e6, "MB"};
}

}  // namespace heddle::gui
