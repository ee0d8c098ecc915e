#include "sim/base/number_text.h"

#include <charconv>

namespace heddle {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

std::optional<int> whole_int(std::string_view text, std::int64_t low, std::int64_t high) {
  const auto number = whole_number(text);
  if (!number || *number < low || *number > high) return std::nullopt;
  return static_cast<int>(*number);
}

}  // namespace heddle
