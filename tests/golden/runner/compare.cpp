#include "tests/golden/runner/compare.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace heddle::golden {
namespace {

using io::JsonKind;
using io::Value;

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "3 %" of the expected value, or an absolute difference.
std::optional<double> allowed(std::string_view tolerance, double expected) {
  if (!tolerance.ends_with('%')) return parse_number<double>(tolerance);
  tolerance.remove_suffix(1);
  while (tolerance.ends_with(' ')) tolerance.remove_suffix(1);
  const auto percent = parse_number<double>(tolerance);
  if (!percent) return std::nullopt;
  return *percent / 100 * std::abs(expected);
}

std::string verdict(bool good, const Expectation& expected, const std::string& got) {
  if (good) return "";
  return fmt::format("expected {}{}{}, got {} (by hand: {})", expected.value,
                     expected.tolerance.empty() ? "" : " +- ", expected.tolerance, got,
                     expected.computation);
}

std::string compare_real(const Expectation& expected, const Value& value, Diagnostics& out) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  const auto got = value.as_number(-kHuge, kHuge, out);
  const auto wanted = parse_number<double>(expected.value);
  if (!got || !wanted) return "is a number: " + expected.value + " is not";
  const auto limit = allowed(expected.tolerance, *wanted);
  if (!limit) return "a number needs a tolerance: +- 0.01 or +- 3 %";
  return verdict(std::abs(*got - *wanted) <= *limit, expected, fmt::format("{}", *got));
}

/// Integers are compared as such: doubles cannot tell large byte counts apart.
std::string compare_integer(const Expectation& expected, const Value& value, Diagnostics& out) {
  const auto got = value.as_integer(std::numeric_limits<std::int64_t>::min(),
                                    std::numeric_limits<std::int64_t>::max(), out);
  const auto wanted = parse_number<std::int64_t>(expected.value);
  if (!wanted) return compare_real(expected, value, out);  // a real that happens to be whole
  const auto limit = allowed(expected.tolerance, static_cast<double>(*wanted));
  if (!got || !limit) return "a number needs a tolerance: +- 0, +- 12 or +- 3 %";
  const bool good = std::abs(static_cast<double>(*got - *wanted)) <= *limit;
  return verdict(good, expected, fmt::format("{}", *got));
}

std::string compare_text(const Expectation& expected, const std::string& got) {
  if (!expected.tolerance.empty()) return "is no number, so it has no tolerance";
  return verdict(got == expected.value, expected, got);
}

std::optional<Value> find_run(const Value& result, const std::string& case_id, Diagnostics& out) {
  const auto runs = result.member("runs");
  if (!runs) return std::nullopt;
  for (const Value& run : runs->items(out)) {
    const auto id = run.member("case");
    if (id && id->as_string(out) == case_id) return run;
  }
  return std::nullopt;
}

std::optional<Value> find_metric(std::optional<Value> value, std::string_view path) {
  while (value && !path.empty()) {
    const std::size_t dot = path.find('.');
    value = value->member(path.substr(0, dot));
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return value;
}

std::string compare_value(const Expectation& expected, const Value& value) {
  Diagnostics problems;
  switch (value.kind()) {
    case JsonKind::kInteger:
      return compare_integer(expected, value, problems);
    case JsonKind::kReal:
      return compare_real(expected, value, problems);
    case JsonKind::kString:
      return compare_text(expected, value.as_string(problems).value_or(""));
    case JsonKind::kBool:
      return compare_text(expected, value.as_bool(problems).value_or(false) ? "true" : "false");
    case JsonKind::kNull:
    case JsonKind::kArray:
    case JsonKind::kObject:
      break;
  }
  return fmt::format("is of kind {}, nothing to compare", io::to_string(value.kind()));
}

}  // namespace

std::string compare(const Expectation& expected, const Value& result) {
  Diagnostics problems;
  const auto run = find_run(result, expected.case_id, problems);
  if (!run) return "no run of that name";
  const auto value = find_metric(run, expected.metric);
  return value ? compare_value(expected, *value) : "no metric of that name";
}

}  // namespace heddle::golden
