#pragma once
// A straight line through measured times, each believed in proportion to itself:
//
//   minimise sum ((a + b x_i) / t_i - 1)^2       covariance = s^2 (A' A)^-1, s^2 = sum of squares /
//   (n - 2)

#include <span>

namespace heddle::judge {

struct LinePoint {
  double x = 0;
  double t = 0;  // above zero
};

struct LineFit {
  double fixed = 0;        // a
  double slope = 0;        // b
  double fixed_sigma = 0;  // standard deviations, in the units of a and b
  double slope_sigma = 0;
  double scatter = 0;  // s, relative
};

/// At least three points at two places, else all zero.
LineFit fit_line(std::span<const LinePoint> points);

}  // namespace heddle::judge
