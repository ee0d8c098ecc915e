#pragma once
// A stretch of simulated time, picoseconds. Real, so that zooming does not round.

#include <algorithm>

namespace heddle::gui {

struct Span {
  double begin = 0;
  double end = 0;

  double length() const { return end - begin; }
  bool holds(double t) const { return begin <= t && t <= end; }
  friend bool operator==(const Span&, const Span&) = default;
};

/// The common part; empty (begin == end) if there is none.
inline Span intersect(const Span& a, const Span& b) {
  const double begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

}  // namespace heddle::gui
