#pragma once
// Nonlinear least squares that outliers do not pull: Levenberg-Marquardt on Huber's loss.
//
//   minimise  sum_i rho(r_i(x) / s)      rho(u) = u^2/2 for |u| <= k,  k |u| - k^2/2 beyond
//   s = 1.4826 median |r|, anew in every iteration       weight w_i = min(1, k s / |r_i|)
//   covariance = [sum (w r)^2 / (n - p)] / m^2  (J^T J)^-1      m: share of rows with w = 1
//
// (Huber, Robust Statistics, 1981, sections 7.6 and 7.9.) The Jacobian is found by central
// differences, so residuals need to be smooth over steps of `step`.

#include <functional>
#include <vector>

namespace heddle::fit {

/// residuals(x) has the same length for every x.
struct LeastSquaresProblem {
  std::function<std::vector<double>(const std::vector<double>& x)> residuals;
  std::vector<double> start;
  std::vector<double> low;  // bounds, as long as `start`
  std::vector<double> high;
};

struct LeastSquaresOptions {
  double huber = 1.345;        // k: 95 % as efficient as plain least squares on normal noise
  double scale_floor = 1e-4;   // s is at least this: noise below it is not believed
  double step = 1e-3;          // of the central differences
  double condition_max = 1e3;  // singular values of the scaled Jacobian below 1/this are zero
  int iterations_max = 60;
};

struct LeastSquaresFit {
  std::vector<double> x;
  std::vector<double> sigma;     // standard error; 0 where not determined
  std::vector<bool> determined;  // false: the rows fix it not at all, or only with others
  std::vector<bool> at_bound;
  std::vector<double> residuals;  // at x
  std::vector<double> weights;    // (0, 1]
  double scale = 0;               // s
  bool converged = false;
  int iterations = 0;
};

LeastSquaresFit least_squares(const LeastSquaresProblem& problem,
                              const LeastSquaresOptions& options = {});

/// J[i][j] = d r_i / d x_j by central differences.
std::vector<std::vector<double>> jacobian(const LeastSquaresProblem& problem,
                                          const std::vector<double>& x, double step);

}  // namespace heddle::fit
