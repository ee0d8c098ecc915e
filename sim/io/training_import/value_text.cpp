#include "sim/io/training_import/value_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace heddle::io {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 53;  // a real beyond is no exact integer

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string value_text(const Value& value) {
  Diagnostics none;  // the kind is asked first
  constexpr double kHuge = std::numeric_limits<double>::max();
  using Limits = std::numeric_limits<std::int64_t>;
  switch (value.kind()) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBool:
      return *value.as_bool(none) ? "true" : "false";
    case JsonKind::kInteger:  // all digits: a double would drop some beyond 2^53
      return fmt::format("{}", *value.as_integer(Limits::min(), Limits::max(), none));
    case JsonKind::kReal:
      return fmt::format("{}", value.as_number(-kHuge, kHuge, none).value_or(0));
    case JsonKind::kString:
      return fmt::format("\"{:.80}\"", *value.as_string(none));
    case JsonKind::kArray:
      return "[...]";
    case JsonKind::kObject:
      return "{...}";
  }
  return "";
}

std::optional<bool> loose_flag(const Value& value) {
  Diagnostics none;
  if (value.kind() == JsonKind::kBool) return value.as_bool(none);
  if (value.kind() != JsonKind::kString) return std::nullopt;
  const std::string text = lower_case(*value.as_string(none));
  if (text == "true" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "no" || text == "0") return false;
  return std::nullopt;
}

std::optional<double> loose_number(const Value& value) {
  Diagnostics none;
  constexpr double kHuge = std::numeric_limits<double>::max();
  if (value.kind() == JsonKind::kString) return number_of(*value.as_string(none));
  if (value.kind() != JsonKind::kInteger && value.kind() != JsonKind::kReal) return std::nullopt;
  return value.as_number(-kHuge, kHuge, none);
}

std::optional<std::int64_t> loose_integer(const Value& value) {
  const auto number = loose_number(value);
  if (!number || std::abs(*number) > static_cast<double>(kLargest)) return std::nullopt;
  if (std::trunc(*number) != *number) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

}  // namespace heddle::io
