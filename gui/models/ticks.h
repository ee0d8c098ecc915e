#pragma once
// Round numbers along an axis: 1, 2 or 5 times a power of ten apart.

#include <string>
#include <vector>

#include "gui/models/span.h"

namespace heddle::gui {

struct Tick {
  double value = 0;
  std::string text;  // without unit
};

struct Ticks {
  std::vector<Tick> at;
  std::string unit;  // "ms"
};

/// The smallest step so that at most `most` fall into the range.
double tick_step(double length, int most);
/// Times in ps, in one unit for all, counted from `origin`.
Ticks time_ticks(Span range, double origin, int most);
/// Multiples of a round step from 0 to `top`.
std::vector<double> value_ticks(double top, int most);
/// "12.35 ms" with digits enough to tell moments of a range of `length` ps apart.
std::string time_text(double ps, double length);

}  // namespace heddle::gui
