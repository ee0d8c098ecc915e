#include "sim/sweep/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "sim/base/number_text.h"

namespace heddle::sweep {
namespace {

constexpr const char* kHint = "write path=a,b,c or path=from:to:count";

/// Splits outside of brackets and quotes.
std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\' && i + 1 < text.size()) {
      parts.back() += c;
      parts.back() += text[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (c == separator && depth == 0 && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// "40 GB": a number and what stands behind it.
struct End {
  double number = 0;
  bool whole = false;
  std::string unit;  // with its blank, so that values look like the ends
};

std::optional<End> parse_end(const std::string& text) {
  End end;
  const char* const last = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), last, end.number);
  if (error != std::errc() || !std::isfinite(end.number)) return std::nullopt;
  end.whole = whole_number(std::string_view(text.data(), rest)).has_value();
  end.unit = std::string(rest, last);
  const char* const kUnitLetters = " %/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (end.unit.find_first_not_of(kUnitLetters) != std::string::npos) return std::nullopt;
  return end;
}

/// 15 digits: 0.1 + 2 * 0.1 reads 0.3.
std::string value_text(double number, const std::string& unit) {
  const std::string digits = fmt::format("{:.15g}", number);
  double rounded = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return fmt::format("{}{}", rounded, unit);
}

struct Range {
  End from;
  End to;
  std::int64_t count = 0;
};

std::optional<Range> parse_range(const std::string& text) {
  const std::vector<std::string> parts = split_at(text, ':');
  if (parts.size() != 3) return std::nullopt;
  const auto from = parse_end(parts[0]);
  const auto to = parse_end(parts[1]);
  const auto count = whole_number(parts[2]);
  if (!from || !to || !count) return std::nullopt;
  return Range{*from, *to, *count};
}

std::string range_problem(const Range& range) {
  if (range.from.unit != range.to.unit) return "the two ends have different units";
  if (range.count < 2 || range.count > kMostValues) {
    return fmt::format("a range has from 2 to {} values", kMostValues);
  }
  const double span = range.to.number - range.from.number;
  const bool whole = range.from.whole && range.to.whole && range.from.unit.empty();
  const double step = span / static_cast<double>(range.count - 1);
  if (!whole || step == std::floor(step)) return "";
  return fmt::format("steps of {:.4g} are not whole", step);
}

std::vector<std::string> values_of(const Range& range) {
  std::vector<std::string> values;
  for (std::int64_t i = 0; i < range.count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(range.count - 1);
    const double span = range.to.number - range.from.number;
    values.push_back(value_text(range.from.number + span * share, range.from.unit));
  }
  return values;
}

}  // namespace

Parsed<Axis> parse_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    return {std::nullopt, "no path and values", kHint};
  }
  Axis axis{std::string(text.substr(0, equals)), {}};
  const std::string values(text.substr(equals + 1));
  if (const auto range = parse_range(values)) {
    const std::string problem = range_problem(*range);
    if (!problem.empty()) {
      return {std::nullopt, problem, "whole ends need whole steps, or write an end as 8.0"};
    }
    axis.values = values_of(*range);
    return {axis, "", ""};
  }
  axis.values = split_at(values, ',');
  for (const std::string& value : axis.values) {
    if (value.empty()) return {std::nullopt, "an empty value", kHint};
    if (std::count(axis.values.begin(), axis.values.end(), value) > 1) {
      return {std::nullopt, fmt::format("{} is there twice", value), kHint};
    }
  }
  return {axis, "", ""};
}

}  // namespace heddle::sweep
