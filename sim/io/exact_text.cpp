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
  constexpr std::int64_t kMega = 1'000'000;
  std::string text =
      fmt::format("{}.{:06}", rate.bytes_per_second / kMega, rate.bytes_per_second % kMega);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " MB/s";
}

}  // namespace heddle::io
