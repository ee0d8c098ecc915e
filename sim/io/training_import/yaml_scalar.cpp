#include "sim/io/training_import/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace heddle::io {
namespace {

/// The spellings of YAML 1.1: as written, Capitalised, UPPER CASE.
bool is_one_of(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  const auto equals = [&](auto change) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != change(i)) return false;
    }
    return true;
  };
  const auto upper = [&](std::size_t i) {
    const char c = lower[i];
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  };
  return equals([&](std::size_t i) { return lower[i]; }) ||
         equals([&](std::size_t i) { return i == 0 ? upper(i) : lower[i]; }) || equals(upper);
}

template <std::size_t N>
bool is_any_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return is_one_of(text, word); });
}

template <typename T>
bool parses_whole(std::string_view text, T& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// PyYAML wants a point in a real, and a sign in its exponent.
bool looks_real(std::string_view text) {
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos && text.find_first_of("+-", exponent) != exponent + 1) {
    return false;
  }
  return text.find('.') < exponent && text.find_first_of("0123456789") != std::string_view::npos;
}

}  // namespace

JsonNode plain_scalar(const std::string& text, int line) {
  static constexpr std::array<std::string_view, 3> kTrue{"true", "yes", "on"};
  static constexpr std::array<std::string_view, 3> kFalse{"false", "no", "off"};
  JsonNode node;
  node.line = line;
  std::int64_t integer = 0;
  double real = 0;
  if (text.empty() || text == "~" || is_one_of(text, "null")) return node;
  if (is_any_of(text, kTrue) || is_any_of(text, kFalse)) {
    node.kind = JsonKind::kBool;
    node.boolean = is_any_of(text, kTrue);
  } else if (parses_whole(text, integer)) {
    node.kind = JsonKind::kInteger;
    node.integer = integer;
  } else if (looks_real(text) && parses_whole(text, real) && std::isfinite(real)) {
    node.kind = JsonKind::kReal;
    node.real = real;
  } else {
    node.kind = JsonKind::kString;
    node.text = text;
  }
  return node;
}

}  // namespace heddle::io
