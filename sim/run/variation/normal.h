#pragma once
// Normal deviates that are the same on every machine: the inverse of the distribution function by
// rational approximation (algorithm AS 241, relative error below 1e-15), on this project's
// generator.

#include "sim/base/rng.h"

namespace heddle::run {

/// z with probability(Z <= z) = p; 0 < p < 1.
double normal_quantile(double p);

inline double normal(Rng& rng) {
  return normal_quantile(rng.uniform() + 0x1.0p-54);  // never 0 or 1
}

}  // namespace heddle::run
