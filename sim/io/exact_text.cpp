#include "sim/io/exact_text.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string_view>
#include <utility>

namespace heddle::io {
namespace {

using Unit = std::pair<std::int64_t, std::string_view>;

std::string in_largest(std::int64_t value, std::span<const Unit> units) {
  for (const auto& [size, name] : units) {
    if (value % size == 0) return fmt::format("{} {}", value / size, name);
  }
  return "";
}

/// value / 10^digits without trailing zeros.
std::string decimal(std::int64_t value, int digits) {
  std::string text = fmt::format("{:0{}}", value, digits + 1);
  text.insert(text.size() - static_cast<std::size_t>(digits), ".");
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

std::string exact_text(Duration time) {
  static constexpr std::array<Unit, 5> kUnits{{{milliseconds(1000).ps, "s"},
                                               {milliseconds(1).ps, "ms"},
                                               {microseconds(1).ps, "us"},
                                               {nanoseconds(1).ps, "ns"},
                                               {1, "ps"}}};
  return in_largest(time.ps, kUnits);
}

std::string exact_text(Bytes bytes) {
  static constexpr std::array<Unit, 5> kUnits{{{gigabytes(1).value, "GB"},
                                               {gibibytes(1).value, "GiB"},
                                               {1'000'000, "MB"},
                                               {mebibytes(1).value, "MiB"},
                                               {1, "B"}}};
  return in_largest(bytes.value, kUnits);
}

std::string exact_text(Bandwidth rate) {
  return decimal(rate.bytes_per_second, 9) + " GB/s";
}

std::string exact_decimal(Duration time) {
  return decimal(time.ps, 6) + " us";
}

}  // namespace heddle::io
