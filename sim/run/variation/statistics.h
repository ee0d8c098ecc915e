#pragma once
// Sums over draws.

#include <span>
#include <vector>

#include "sim/run/variation/variation.h"

namespace heddle::run {

/// Linear between order statistics (the default of R and NumPy). At least one value, ascending.
double quantile(std::span<const double> sorted, double share);

/// At least one value.
Quantiles quantiles_of(std::vector<double> values);

/// Mean squared distance from the mean, over n; 0 for a single value.
double variance_of(std::span<const double> values);

}  // namespace heddle::run
