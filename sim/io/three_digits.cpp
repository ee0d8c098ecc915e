#include "sim/io/three_digits.h"

#include <fmt/format.h>

#include <charconv>
#include <string>

#include "sim/base/units_text.h"

namespace heddle::io {

double three_digits(double value) {
  const std::string text = fmt::format("{:.2e}", value);
  double rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

std::string three_digits_text(double value) {
  return format_significant(three_digits(value), 3);
}

}  // namespace heddle::io
