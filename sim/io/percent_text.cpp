#include "sim/io/percent_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace heddle::io {
namespace {

constexpr double kPerPercent = 1e6;  // steps of the resolution
constexpr double kPerWhole = 100 * kPerPercent;

}  // namespace

Parsed<double> parse_percent(std::string_view text) {
  const auto refuse = [&](std::string_view reason) {
    return Parsed<double>{std::nullopt, fmt::format("\"{}\" {}", text, reason),
                          "write it like \"2 %\""};
  };
  double percent = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (error != std::errc() || !std::isfinite(percent)) return refuse("is not a number with a %");
  std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (unit.empty()) return refuse("has no unit");
  if (unit != "%") return refuse("is not in %");
  if (percent < 0) return refuse("is negative");
  const double steps = std::floor(percent * kPerPercent + 0.5);
  if (steps >= kPerWhole) return refuse("is not below 100 %");
  return {steps / kPerWhole, "", ""};
}

std::string percent_text(double share) {
  const auto steps = static_cast<std::int64_t>(std::floor(share * kPerWhole + 0.5));
  const auto per_percent = static_cast<std::int64_t>(kPerPercent);
  std::string text = fmt::format("{}.{:06}", steps / per_percent, steps % per_percent);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " %";
}

}  // namespace heddle::io
