#include "sim/base/units_text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <span>

namespace heddle {
namespace {

struct Unit {
  std::string_view name;
  double scale;
};

constexpr std::array<Unit, 9> kByteUnits{{{"B", 1},
                                          {"kB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"TB", 1e12},
                                          {"KiB", 1024.0},
                                          {"MiB", 1048576.0},
                                          {"GiB", 1073741824.0},
                                          {"TiB", 1099511627776.0}}};
constexpr std::array<Unit, 8> kRateUnits{{{"MB/s", 1e6},
                                          {"GB/s", 1e9},
                                          {"TB/s", 1e12},
                                          {"MiB/s", 1048576.0},
                                          {"GiB/s", 1073741824.0},
                                          {"Mbit/s", 1e6 / 8},
                                          {"Gbit/s", 1e9 / 8},
                                          {"Tbit/s", 1e12 / 8}}};
constexpr std::array<Unit, 5> kTimeUnits{
    {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
constexpr std::array<Unit, 3> kFlopUnits{{{"GFLOP/s", 1e9}, {"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}}};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string unit_list(std::span<const Unit> units) {
  std::string out;
  for (const Unit& u : units) out += (out.empty() ? "" : ", ") + std::string(u.name);
  return out;
}

Parsed<double> refuse(std::string reason, std::string hint) {
  return {std::nullopt, std::move(reason), std::move(hint)};
}

/// Value in the base unit of `units` (bytes, bytes/s, ps, flop/s).
Parsed<double> parse_with_units(std::string_view text, std::span<const Unit> units,
                                std::string_view example) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) {
    return refuse(fmt::format("\"{}\" is not a number with a unit", text),
                  fmt::format("write it like \"{}\"", example));
  }
  std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (unit.empty()) {
    return refuse(fmt::format("\"{}\" has no unit", text),
                  fmt::format("write it like \"{}\"; units: {}", example, unit_list(units)));
  }
  if (number < 0) return refuse(fmt::format("\"{}\" is negative", text), "");
  for (const Unit& u : units) {
    if (u.name == unit) return {number * u.scale, "", ""};
  }
  for (const Unit& u : units) {
    if (lower(u.name) == lower(unit)) {
      return refuse(fmt::format("unknown unit \"{}\" in \"{}\"", unit, text),
                    fmt::format("units are case-sensitive: did you mean \"{}\"?", u.name));
    }
  }
  return refuse(fmt::format("unknown unit \"{}\" in \"{}\"", unit, text),
                fmt::format("units: {}", unit_list(units)));
}

template <typename T>
Parsed<T> to_integer_unit(const Parsed<double>& parsed, std::string_view text) {
  if (!parsed.value) return {std::nullopt, parsed.reason, parsed.hint};
  if (*parsed.value >= 9.2e18) {
    return {std::nullopt, fmt::format("\"{}\" is too large to represent", text), ""};
  }
  return {T{static_cast<std::int64_t>(std::floor(*parsed.value + 0.5))}, "", ""};
}

std::string with_best_unit(double base_value, std::span<const Unit> units, int digits) {
  const Unit* best = &units.front();
  for (const Unit& u : units) {
    if (base_value >= u.scale && u.scale > best->scale) best = &u;
  }
  return fmt::format("{} {}", format_significant(base_value / best->scale, digits), best->name);
}

}  // namespace

Parsed<Bytes> parse_bytes(std::string_view text) {
  return to_integer_unit<Bytes>(parse_with_units(text, kByteUnits, "80 GB"), text);
}

Parsed<Bandwidth> parse_bandwidth(std::string_view text) {
  return to_integer_unit<Bandwidth>(parse_with_units(text, kRateUnits, "25 GB/s"), text);
}

Parsed<Duration> parse_duration(std::string_view text) {
  return to_integer_unit<Duration>(parse_with_units(text, kTimeUnits, "3.4 us"), text);
}

Parsed<FlopRate> parse_flop_rate(std::string_view text) {
  const Parsed<double> parsed = parse_with_units(text, kFlopUnits, "989 TFLOP/s");
  if (!parsed.value) return {std::nullopt, parsed.reason, parsed.hint};
  return {FlopRate{*parsed.value}, "", ""};
}

std::string format_significant(double value, int digits) {
  const double size = std::abs(value);
  const double magnitude = size > 0 ? std::floor(std::log10(size)) : 0;
  const int decimals = std::max(0, digits - 1 - static_cast<int>(magnitude));
  return fmt::format("{:.{}f}", value, decimals);
}

std::string format_bytes(Bytes b) {
  const double value = static_cast<double>(b.value);
  if (value < 0) return "-" + format_bytes({-b.value});
  if (value >= 1e8) return fmt::format("{:.2f} GB", value / 1e9);
  if (value < 1000) return fmt::format("{} B", b.value);
  return with_best_unit(value, std::span(kByteUnits).first(3), 3);
}

std::string format_bytes_binary(Bytes b) {
  const double value = static_cast<double>(b.value);
  if (value < 0) return "-" + format_bytes_binary({-b.value});
  if (value < 1024) return fmt::format("{} B", b.value);
  if (value >= 0.1 * 1073741824.0) return fmt::format("{:.2f} GiB", value / 1073741824.0);
  return with_best_unit(value, std::span(kByteUnits).subspan(5, 2), 3);
}

std::string format_bandwidth(Bandwidth b) {
  return with_best_unit(static_cast<double>(b.bytes_per_second), std::span(kRateUnits).first(2), 4);
}

std::string format_duration(Duration d) {
  if (d.ps < 0) return "-" + format_duration({-d.ps});
  return with_best_unit(static_cast<double>(d.ps), kTimeUnits, 3);
}

std::string format_flop_rate(FlopRate r) {
  return with_best_unit(r.flops_per_second, kFlopUnits, 3);
}

}  // namespace heddle
