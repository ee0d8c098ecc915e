#include "gui/models/report_environment.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

std::string scalar_text(const io::Value& value) {
  Diagnostics ignored;
  constexpr double kMost = std::numeric_limits<double>::max();
  switch (value.kind()) {
    case io::JsonKind::kString:
      return value.as_string(ignored).value_or("");
    case io::JsonKind::kBool:
      return value.as_bool(ignored).value_or(false) ? "yes" : "no";
    case io::JsonKind::kInteger:
      return std::to_string(value.as_integer(INT64_MIN, INT64_MAX, ignored).value_or(0));
    case io::JsonKind::kReal:
      return fmt::format("{:.4g}", value.as_number(-kMost, kMost, ignored).value_or(0));
    default:
      return "";
  }
}

std::string spaced(std::string key) {
  for (char& c : key) {
    if (c == '_') c = ' ';
  }
  return key;
}

void add_all(const io::Value& object, Lines& lines) {
  for (const std::string& key : object.keys()) {
    const std::string text = scalar_text(*object.member(key));
    if (!text.empty()) lines.emplace_back(spaced(key), text);
  }
}

std::string parameter_text(const io::Value& p) {
  Diagnostics ignored;
  const auto number = [&](const char* key) {
    const auto v = p.member(key);
    return v ? v->as_number(-1e300, 1e300, ignored).value_or(0) : 0;
  };
  const std::string unit = p.member("unit") ? scalar_text(*p.member("unit")) : "";
  const double value = number("value");
  std::string text = format_significant(value, 4) + " " + unit;
  if (unit == "s") text = format_duration(duration_from_seconds(value));
  if (unit == "FLOP/s" || unit == "B/s") text = format_significant(value / 1e9, 4) + " G" + unit;
  return fmt::format("{} +- {:.0f} %", text, 100 * number("sigma"));
}

}  // namespace

Lines report_environment(const io::Value& root) {
  Diagnostics ignored;
  Lines lines{{"Measured on", ""}};
  for (const char* key : {"backend", "ranks", "scale", "attempts"}) {
    if (const auto v = root.member(key)) lines.emplace_back(key, scalar_text(*v));
  }
  if (const auto platform = root.member("platform")) add_all(*platform, lines);
  lines.emplace_back("What was run", "");
  for (const char* key : {"scenario", "case", "fingerprint", "schedule_hash", "executed_hash",
                          "sealed", "prediction_hash"}) {
    if (const auto v = root.member(key)) lines.emplace_back(spaced(key), scalar_text(*v));
  }
  const auto calibration = root.member("calibration");
  if (!calibration) return lines;
  lines.emplace_back("Calibrated before", "");
  for (const io::Value& p : calibration->items(ignored)) {
    const auto name = p.member("parameter");
    if (name) lines.emplace_back(scalar_text(*name), parameter_text(p));
  }
  return lines;
}

}  // namespace heddle::gui
