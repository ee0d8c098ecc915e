#include "gui/models/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace heddle::gui {
namespace {

struct TimeUnit {
  const char* name;
  double ps;
};
constexpr std::array<TimeUnit, 4> kUnits{{{"s", 1e12}, {"ms", 1e9}, {"us", 1e6}, {"ns", 1e3}}};

/// The largest unit of which the range has at least one; nanoseconds below that.
const TimeUnit& unit_for(double length) {
  for (const TimeUnit& unit : kUnits) {
    if (length >= unit.ps) return unit;
  }
  return kUnits.back();
}

int decimals_for(double step) {
  return std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
}

}  // namespace

double tick_step(double length, int most) {
  if (!(length > 0)) return 1;
  double step = std::pow(10, std::floor(std::log10(length / most)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (length / (step * factor) <= most) return step * factor;
  }
  return step * 10;
}

Ticks time_ticks(Span range, double origin, int most) {
  const TimeUnit& unit = unit_for(range.length());
  const double step = tick_step(range.length() / unit.ps, most);
  Ticks out{{}, unit.name};
  const double first = std::ceil((range.begin - origin) / unit.ps / step - 1e-9);
  for (double n = first; origin + n * step * unit.ps <= range.end; ++n) {
    const double value = n == 0 ? 0.0 : n * step;  // never "-0"
    out.at.push_back({origin + value * unit.ps, fmt::format("{:.{}f}", value, decimals_for(step))});
  }
  return out;
}

std::vector<double> value_ticks(double top, int most) {
  std::vector<double> out;
  const double step = tick_step(top, most);
  for (double n = 0; n * step <= top * (1 + 1e-12); ++n) out.push_back(n * step);
  return out;
}

std::string time_text(double ps, double length) {
  const TimeUnit& unit = unit_for(std::max(length, 1.0));
  const double step = tick_step(length / unit.ps, 1000);
  return fmt::format("{:.{}f} {}", ps / unit.ps, decimals_for(step), unit.name);
}

}  // namespace heddle::gui
