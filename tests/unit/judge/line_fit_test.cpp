#include "validator/judge/line_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace heddle::judge {
namespace {

/// t = 3 + 2 x exactly: no error bars.
TEST(LineFit, FindsAnExactLine) {
  const LineFit fit = fit_line(std::vector<LinePoint>{{1, 5}, {2, 7}, {10, 23}, {100, 203}});
  EXPECT_NEAR(fit.fixed, 3, 1e-9);
  EXPECT_NEAR(fit.slope, 2, 1e-9);
  EXPECT_NEAR(fit.fixed_sigma, 0, 1e-9);
  EXPECT_NEAR(fit.scatter, 0, 1e-9);
}

/// By hand, with weights 1/t: rows (1, 0), (1, 1), (1/2, 1) against ones. A'A = [[9/4, 3/2], [3/2,
/// 2]], A'1 = (5/2, 2), determinant 9/4: a = (5 - 3) / (9/4) = 8/9, b = (9/2 - 15/4) / (9/4) = 1/3.
/// Residuals -1/9, 2/9, -2/9 - ... : a - 1 = -1/9, a + b - 1 = 2/9, a/2 + b - 1 = -2/9; squares
/// 9/81, s = 1/3; (A'A)^-1 = [[8/9, -2/3], [-2/3, 1]].
TEST(LineFit, BelievesTimesInProportion) {
  const LineFit fit = fit_line(std::vector<LinePoint>{{0, 1}, {1, 1}, {2, 2}});
  EXPECT_NEAR(fit.fixed, 8.0 / 9, 1e-12);
  EXPECT_NEAR(fit.slope, 1.0 / 3, 1e-12);
  EXPECT_NEAR(fit.scatter, 1.0 / 3, 1e-12);
  EXPECT_NEAR(fit.fixed_sigma, std::sqrt(8.0 / 9) / 3, 1e-12);
  EXPECT_NEAR(fit.slope_sigma, 1.0 / 3, 1e-12);
}

TEST(LineFit, TwoPointsOrOnePlaceAreNoLine) {
  EXPECT_EQ(fit_line(std::vector<LinePoint>{{1, 5}, {2, 7}}).slope, 0);
  EXPECT_EQ(fit_line(std::vector<LinePoint>{{1, 5}, {1, 7}, {1, 6}}).slope, 0);
}

}  // namespace
}  // namespace heddle::judge
