#include "sim/fit/least_squares.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "sim/base/check.h"

namespace heddle::fit {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Vector to_eigen(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

std::vector<double> to_std(const Vector& values) {
  return {values.data(), values.data() + values.size()};
}

double median_of_magnitudes(const Vector& r) {
  std::vector<double> magnitudes;
  for (const double value : r) magnitudes.push_back(std::abs(value));
  const auto middle = magnitudes.begin() + static_cast<std::ptrdiff_t>(magnitudes.size() / 2);
  std::nth_element(magnitudes.begin(), middle, magnitudes.end());
  return *middle;
}

/// Minimises with the scale of the residuals found anew at every accepted point.
class Minimiser {
 public:
  Minimiser(const LeastSquaresProblem& problem, const LeastSquaresOptions& options)
      : problem_(problem), options_(options), x_(to_eigen(problem.start)), r_(residuals(x_)) {
    HEDDLE_CHECK(r_.size() > 0 && x_.size() > 0, "a fit needs rows and parameters");
    rescale();
  }

  LeastSquaresFit run() {
    LeastSquaresFit fit;
    while (fit.iterations < options_.iterations_max && !fit.converged) {
      ++fit.iterations;
      fit.converged = !improve();
    }
    describe(fit);
    return fit;
  }

 private:
  Vector residuals(const Vector& x) const { return to_eigen(problem_.residuals(to_std(x))); }

  Matrix derivative() const {
    const auto rows = jacobian(problem_, to_std(x_), options_.step);
    Matrix j(r_.size(), x_.size());
    for (Eigen::Index i = 0; i < j.rows(); ++i) {
      j.row(i) = to_eigen(rows[static_cast<std::size_t>(i)]).transpose();
    }
    return j;
  }

  void rescale() { scale_ = std::max(1.4826 * median_of_magnitudes(r_), options_.scale_floor); }

  double loss(const Vector& r) const {
    double sum = 0;
    for (const double value : r) {
      const double u = std::abs(value) / scale_;
      sum += u <= options_.huber ? u * u / 2 : options_.huber * (u - options_.huber / 2);
    }
    return sum;
  }

  Vector weights() const {
    Vector w(r_.size());
    for (Eigen::Index i = 0; i < w.size(); ++i) {
      const double limit = options_.huber * scale_;
      w[i] = std::abs(r_[i]) <= limit ? 1 : limit / std::abs(r_[i]);
    }
    return w;
  }

  Vector clamped(const Vector& x) const {
    return x.cwiseMax(to_eigen(problem_.low)).cwiseMin(to_eigen(problem_.high));
  }

  /// One accepted step; false if none makes the loss smaller by more than rounding.
  bool improve() {
    const Matrix j = derivative();
    const Vector w = weights();
    const Matrix normal = j.transpose() * w.asDiagonal() * j;
    const Vector gradient = j.transpose() * w.cwiseProduct(r_);
    const double before = loss(r_);
    for (double damping = 1e-6; damping < 1e9; damping *= 10) {
      Matrix damped = normal;
      damped.diagonal() += damping * (normal.diagonal().array() + 1e-12).matrix();
      const Vector next = clamped(x_ - damped.ldlt().solve(gradient));
      const Vector r = residuals(next);
      if (!(loss(r) < before)) continue;
      const bool moved = (next - x_).cwiseAbs().maxCoeff() > 1e-9;
      x_ = next;
      r_ = r;
      rescale();
      return moved;
    }
    return false;
  }

  void describe(LeastSquaresFit& fit) const {
    const Vector w = weights();
    fit.x = to_std(x_);
    fit.residuals = to_std(r_);
    fit.weights = to_std(w);
    fit.scale = scale_;
    for (Eigen::Index k = 0; k < x_.size(); ++k) {
      const auto i = static_cast<std::size_t>(k);
      fit.at_bound.push_back(x_[k] <= problem_.low[i] || x_[k] >= problem_.high[i]);
    }
    const Matrix j = derivative();
    fit.determined = determined(j);
    fit.sigma = standard_errors(j, w, fit.determined);
  }

  /// A parameter is not determined if its column is zero, or it takes part in a combination that
  /// moves no residual.
  std::vector<bool> determined(const Matrix& j) const {
    Matrix scaled = j;
    std::vector<bool> known(static_cast<std::size_t>(j.cols()), true);
    for (Eigen::Index k = 0; k < j.cols(); ++k) {
      const double norm = j.col(k).norm();
      known[static_cast<std::size_t>(k)] = norm > 1e-9;
      if (norm > 1e-9) scaled.col(k) /= norm;
    }
    const Eigen::JacobiSVD<Matrix> svd(scaled, Eigen::ComputeFullV);
    for (Eigen::Index k = 0; k < j.cols(); ++k) {
      const double value = k < svd.singularValues().size() ? svd.singularValues()[k] : 0;
      if (value > svd.singularValues()[0] / options_.condition_max) continue;
      for (Eigen::Index i = 0; i < j.cols(); ++i) {
        if (std::abs(svd.matrixV()(i, k)) > 0.1) known[static_cast<std::size_t>(i)] = false;
      }
    }
    return known;
  }

  std::vector<double> standard_errors(const Matrix& j, const Vector& w,
                                      const std::vector<bool>& known) const {
    std::vector<Eigen::Index> columns;
    for (Eigen::Index k = 0; k < j.cols(); ++k) {
      if (known[static_cast<std::size_t>(k)]) columns.push_back(k);
    }
    std::vector<double> sigma(known.size(), 0);
    if (columns.empty()) return sigma;
    Matrix part(j.rows(), static_cast<Eigen::Index>(columns.size()));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      part.col(static_cast<Eigen::Index>(i)) = j.col(columns[i]);
    }
    const double freedom = std::max<double>(1, static_cast<double>(j.rows() - part.cols()));
    const double inliers = std::max(0.1, (w.array() >= 1).cast<double>().mean());
    const double variance = w.cwiseProduct(r_).squaredNorm() / freedom / (inliers * inliers);
    const Matrix covariance = variance * (part.transpose() * part).inverse();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      sigma[static_cast<std::size_t>(columns[i])] = std::sqrt(std::max(0.0, covariance(k, k)));
    }
    return sigma;
  }

  const LeastSquaresProblem& problem_;
  const LeastSquaresOptions& options_;
  Vector x_;
  Vector r_;
  double scale_ = 1;
};

}  // namespace

LeastSquaresFit least_squares(const LeastSquaresProblem& problem,
                              const LeastSquaresOptions& options) {
  HEDDLE_CHECK(
      problem.low.size() == problem.start.size() && problem.high.size() == problem.start.size(),
      "bounds are as many as parameters");
  return Minimiser(problem, options).run();
}

std::vector<std::vector<double>> jacobian(const LeastSquaresProblem& problem,
                                          const std::vector<double>& x, double step) {
  std::vector<std::vector<double>> rows;
  for (std::size_t k = 0; k < x.size(); ++k) {
    std::vector<double> up = x;
    std::vector<double> down = x;
    up[k] = std::min(x[k] + step, problem.high[k]);
    down[k] = std::max(x[k] - step, problem.low[k]);
    const std::vector<double> above = problem.residuals(up);
    const std::vector<double> below = problem.residuals(down);
    rows.resize(above.size(), std::vector<double>(x.size(), 0));
    if (up[k] <= down[k]) continue;
    for (std::size_t i = 0; i < above.size(); ++i) {
      rows[i][k] = (above[i] - below[i]) / (up[k] - down[k]);
    }
  }
  return rows;
}

}  // namespace heddle::fit
