#include "validator/judge/line_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace heddle::judge {

LineFit fit_line(std::span<const LinePoint> points) {
  LineFit fit;
  const auto n = static_cast<Eigen::Index>(points.size());
  const bool flat = std::all_of(points.begin(), points.end(),
                                [&](const LinePoint& p) { return p.x == points.front().x; });
  if (n < 3 || flat) return fit;
  // In units of the largest x both columns are of one size.
  double unit = 0;
  for (const LinePoint& point : points) unit = std::max(unit, std::abs(point.x));
  Eigen::MatrixXd a(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) {
    const LinePoint& point = points[static_cast<std::size_t>(i)];
    a(i, 0) = 1 / point.t;
    a(i, 1) = point.x / unit / point.t;
  }
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
  const Eigen::Vector2d solution = a.colPivHouseholderQr().solve(ones);
  const double squares = (a * solution - ones).squaredNorm();
  fit.scatter = std::sqrt(squares / static_cast<double>(n - 2));
  const Eigen::Matrix2d inverse = (a.transpose() * a).inverse();
  fit.fixed = solution(0);
  fit.slope = solution(1) / unit;
  fit.fixed_sigma = fit.scatter * std::sqrt(std::max(0.0, inverse(0, 0)));
  fit.slope_sigma = fit.scatter * std::sqrt(std::max(0.0, inverse(1, 1))) / unit;
  return fit;
}

}  // namespace heddle::judge
