#include "sim/fit/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/base/rng.h"

namespace heddle::fit {
namespace {

constexpr double kWide = 1e6;

/// r_i = a + b t_i - y_i with t_i = i.
LeastSquaresProblem line_through(std::vector<double> y) {
  return {[y = std::move(y)](const std::vector<double>& x) {
            std::vector<double> r;
            for (std::size_t i = 0; i < y.size(); ++i) {
              r.push_back(x[0] + x[1] * static_cast<double>(i) - y[i]);
            }
            return r;
          },
          {0, 0},
          {-kWide, -kWide},
          {kWide, kWide}};
}

/// Sum of twelve uniform draws less six: variance 1.
double normal(Rng& rng) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += rng.uniform();
  return sum;
}

TEST(LeastSquares, FindsALineExactly) {
  const LeastSquaresFit fit = least_squares(line_through({3, 5, 7, 9, 11}));
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(fit.x[0], 3, 1e-6);
  EXPECT_NEAR(fit.x[1], 2, 1e-6);
  EXPECT_TRUE(fit.determined[0] && fit.determined[1]);
}

// For y = a + b i, i = 0..n-1, with noise s: var(b) = 12 s^2 / (n (n^2 - 1)),
// var(a) = 2 (2n - 1) s^2 / (n (n + 1)).
TEST(LeastSquares, ErrorBarsAreThoseOfRegression) {
  constexpr int kRows = 400;
  constexpr double kNoise = 0.5;
  Rng rng(7);
  std::vector<double> y;
  for (int i = 0; i < kRows; ++i) y.push_back(1 + 0.02 * i + kNoise * normal(rng));
  const LeastSquaresFit fit = least_squares(line_through(y));
  const double n = kRows;
  const double slope = kNoise * std::sqrt(12 / (n * (n * n - 1)));
  const double offset = kNoise * std::sqrt(2 * (2 * n - 1) / (n * (n + 1)));
  EXPECT_NEAR(fit.sigma[1] / slope, 1, 0.15);
  EXPECT_NEAR(fit.sigma[0] / offset, 1, 0.15);
  EXPECT_LT(std::abs(fit.x[1] - 0.02), 3 * slope);
  EXPECT_LT(std::abs(fit.x[0] - 1), 3 * offset);
}

TEST(LeastSquares, ATenthOfWildRowsDoesNotPull) {
  Rng rng(3);
  std::vector<double> y;
  for (int i = 0; i < 200; ++i) {
    const double truth = 1 + 0.02 * i + 0.05 * normal(rng);
    y.push_back(i % 10 == 4 ? truth + 5 : truth);
  }
  const LeastSquaresFit fit = least_squares(line_through(y));
  EXPECT_NEAR(fit.x[1], 0.02, 0.0005);
  EXPECT_NEAR(fit.x[0], 1, 0.05);  // plain least squares would find about 1.5
  EXPECT_LT(fit.weights[4], 0.05);
  EXPECT_EQ(fit.weights[5], 1);
  EXPECT_LT(fit.scale, 0.1);
}

TEST(LeastSquares, FollowsACurve) {
  LeastSquaresProblem problem{[](const std::vector<double>& x) {
                                std::vector<double> r;
                                for (int i = 0; i < 20; ++i) {
                                  const double t = 0.1 * i;
                                  r.push_back(x[0] * std::exp(-x[1] * t) - 2 * std::exp(-1.5 * t));
                                }
                                return r;
                              },
                              {1, 0.3},
                              {0, 0},
                              {kWide, kWide}};
  const LeastSquaresFit fit = least_squares(problem);
  EXPECT_NEAR(fit.x[0], 2, 1e-5);
  EXPECT_NEAR(fit.x[1], 1.5, 1e-5);
}

TEST(LeastSquares, WhatOnlyActsTogetherIsNotDetermined) {
  // x0 + x1 is known, each of them is not; x2 is; x3 acts nowhere.
  LeastSquaresProblem problem{
      [](const std::vector<double>& x) {
        return std::vector<double>{x[0] + x[1] - 3, x[0] + x[1] - 3.1, x[2] - 1, x[2] - 1.1};
      },
      {0, 0, 0, 5},
      {-9, -9, -9, -9},
      {9, 9, 9, 9}};
  const LeastSquaresFit fit = least_squares(problem);
  EXPECT_FALSE(fit.determined[0]);
  EXPECT_FALSE(fit.determined[1]);
  EXPECT_TRUE(fit.determined[2]);
  EXPECT_FALSE(fit.determined[3]);
  EXPECT_EQ(fit.sigma[0], 0);
  EXPECT_GT(fit.sigma[2], 0);
  EXPECT_NEAR(fit.x[0] + fit.x[1], 3.05, 0.06);
  EXPECT_NEAR(fit.x[3], 5, 1e-6);
}

TEST(LeastSquares, StaysInsideItsBounds) {
  LeastSquaresProblem problem = line_through({3, 5, 7, 9, 11});
  problem.high[1] = 1.5;
  const LeastSquaresFit fit = least_squares(problem);
  EXPECT_EQ(fit.x[1], 1.5);
  EXPECT_TRUE(fit.at_bound[1]);
  EXPECT_FALSE(fit.at_bound[0]);
}

}  // namespace
}  // namespace heddle::fit
