#include "sim/run/variation/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/check.h"

namespace heddle::run {

double quantile(std::span<const double> sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Quantiles quantiles_of(std::vector<double> values) {
  HEDDLE_CHECK(!values.empty(), "quantiles of nothing");
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.1), quantile(values, 0.5), quantile(values, 0.9)};
}

double variance_of(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double sum = 0;
  for (const double v : values) sum += (v - mean) * (v - mean);
  return sum / n;
}

}  // namespace heddle::run
