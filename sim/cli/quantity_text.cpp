#include "sim/cli/quantity_text.h"

#include "sim/base/units_text.h"

namespace heddle::cli {

namespace {
constexpr Bytes kSmallest{1'000'000};  // below it a column of GB would be zeros
}

std::string gb_text(Bytes bytes) {
  if (bytes.value > 0 && bytes < kSmallest) return "<0.001";
  return format_significant(static_cast<double>(bytes.value) * 1e-9, 3);
}

std::string ms_text(Duration duration) {
  return format_significant(duration.seconds() * 1e3, 3);
}

std::string us_text(Duration duration) {
  return format_significant(duration.seconds() * 1e6, 4);
}

std::string magnitude_text(double value) {
  return format_significant(value, 4);
}

std::string percent_text(double share) {
  return format_significant(share * 100, 3);
}

}  // namespace heddle::cli
