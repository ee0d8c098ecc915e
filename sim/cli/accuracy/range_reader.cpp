#include "sim/cli/accuracy/range_reader.h"

namespace heddle::cli::accuracy {

namespace {
constexpr double kLargest = 1e15;
}

std::optional<Measured> read_range(const io::Value& value, Diagnostics& out) {
  if (value.kind() != io::JsonKind::kArray) {
    const auto figure = value.as_number(0, kLargest, out);
    return figure ? std::optional(Measured{*figure, *figure}) : std::nullopt;
  }
  const auto ends = value.items(out);
  if (ends.size() != 2) {
    value.error("wrong-size", "a range has two numbers", "write it like [3, 5]", out);
    return std::nullopt;
  }
  const auto low = ends[0].as_number(0, kLargest, out);
  const auto high = ends[1].as_number(0, kLargest, out);
  if (!low || !high) return std::nullopt;
  if (*low > *high) {
    value.error("out-of-range", "the range ends before it begins", "write it like [3, 5]", out);
    return std::nullopt;
  }
  return Measured{*low, *high};
}

}  // namespace heddle::cli::accuracy
