#include "validator/judge/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/base/check.h"
#include "sim/run/variation/statistics.h"

namespace heddle::judge {

double percentile(std::span<const double> values, double share) {
  HEDDLE_CHECK(!values.empty(), "percentile of nothing");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return run::quantile(sorted, share);
}

double mean(std::span<const double> values) {
  HEDDLE_CHECK(!values.empty(), "mean of nothing");
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Summary summarize(std::span<const double> values) {
  return {values.size(), percentile(values, 0.5), percentile(values, 0.1), percentile(values, 0.9)};
}

bool Summary::enough() const {
  if (samples >= kMost) return true;
  if (samples < kFewest) return false;
  if (spread() > kHopelessSpread) return true;
  const double error = 1.25 * (p90 - p10) / 2.56 / std::sqrt(static_cast<double>(samples));
  return error <= kEnoughError * median;
}

}  // namespace heddle::judge
