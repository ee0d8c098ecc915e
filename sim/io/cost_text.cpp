#include "sim/io/cost_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "sim/io/scenario_limits.h"

namespace heddle::io {
namespace {

constexpr std::string_view kPerGpuHour = "/GPU-hour";
constexpr std::size_t kLongestCurrency = 8;
constexpr std::array<std::string_view, 4> kLengths{"steps", "tokens", "samples", "epochs"};

struct Number {
  double value = 0;
  std::string_view unit;
};

/// A number and what follows its blanks; nullopt if it does not begin with a finite one.
std::optional<Number> number_and_unit(std::string_view text) {
  Number number;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  if (error != std::errc() || !std::isfinite(number.value)) return std::nullopt;
  number.unit = {rest, static_cast<std::size_t>(text.data() + text.size() - rest)};
  while (number.unit.starts_with(' ')) number.unit.remove_prefix(1);
  return number;
}

template <typename T>
Parsed<T> refuse(std::string_view text, std::string_view reason, std::string_view example) {
  return {std::nullopt, fmt::format("\"{}\" {}", text, reason),
          fmt::format("write it like \"{}\"", example)};
}

bool is_currency(std::string_view word) {
  return !word.empty() && word.size() <= kLongestCurrency &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
}

/// Why a number is no amount in (0, most], or "". Zero is one if `zero`.
std::string_view range_problem(double value, double most, bool zero) {
  if (value < 0) return "is negative";
  if (value == 0 && !zero) return "is zero";
  return value > most ? "is too large" : "";
}

}  // namespace

Parsed<Price> parse_price(std::string_view text) {
  constexpr std::string_view kExample = "2.99 USD/GPU-hour";
  const auto number = number_and_unit(text);
  if (!number) return refuse<Price>(text, "is not a price", kExample);
  std::string_view currency = number->unit;
  if (currency.empty()) return refuse<Price>(text, "has no unit", kExample);
  if (!currency.ends_with(kPerGpuHour)) {
    return refuse<Price>(text, "is not per GPU-hour", kExample);
  }
  currency.remove_suffix(kPerGpuHour.size());
  if (!is_currency(currency)) {
    return refuse<Price>(text, "names no currency of up to 8 letters", kExample);
  }
  const std::string_view problem = range_problem(number->value, kMaxPrice, true);
  if (!problem.empty()) return refuse<Price>(text, problem, kExample);
  return {Price{number->value, std::string(currency)}, "", ""};
}

Parsed<double> parse_power(std::string_view text) {
  constexpr std::string_view kExample = "700 W";
  const auto number = number_and_unit(text);
  if (!number) return refuse<double>(text, "is not a power", kExample);
  if (number->unit.empty()) return refuse<double>(text, "has no unit", kExample);
  if (number->unit != "W" && number->unit != "kW") {
    return refuse<double>(text, "is not in W or kW", kExample);
  }
  const double watts = number->unit == "kW" ? number->value * 1000 : number->value;
  const std::string_view problem = range_problem(watts, kMaxPower, true);
  if (!problem.empty()) return refuse<double>(text, problem, kExample);
  return {watts, "", ""};
}

Parsed<run::RunLength> parse_run_length(std::string_view text) {
  using Length = run::RunLength;
  constexpr std::string_view kExample = "15e12 tokens";
  const auto number = number_and_unit(text);
  if (!number) return refuse<Length>(text, "is not a length of training", kExample);
  if (number->unit.empty()) return refuse<Length>(text, "has no unit", kExample);
  const auto unit = std::find(kLengths.begin(), kLengths.end(), number->unit);
  if (unit == kLengths.end()) {
    return refuse<Length>(text, "is not in steps, tokens, samples or epochs", kExample);
  }
  const std::string_view problem = range_problem(number->value, kMaxRunLength, false);
  if (!problem.empty()) return refuse<Length>(text, problem, kExample);
  return {Length{static_cast<Length::Unit>(unit - kLengths.begin()), number->value}, "", ""};
}

std::string price_text(double amount, std::string_view currency) {
  return fmt::format("{} {}{}", amount, currency, kPerGpuHour);
}

std::string power_text(double watts) {
  return fmt::format("{} W", watts);
}

std::string run_length_text(const run::RunLength& length) {
  return fmt::format("{} {}", length.count, kLengths[static_cast<std::size_t>(length.unit)]);
}

}  // namespace heddle::io
