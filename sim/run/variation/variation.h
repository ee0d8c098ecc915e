#pragma once
// How far a step may be from its prediction: quantiles over draws, and what the spread comes from.

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::run {

struct Quantiles {
  double p10 = 0;
  double p50 = 0;
  double p90 = 0;
};

/// One thing that varies. Shares are of the variance of ln(step).
struct VariationCause {
  std::string name;    // "matrix products"
  double sigma = 0;    // relative; of a straggler its chance
  std::string origin;  // where sigma comes from
  double share = 0;    // of the variance, by itself: over it, of the mean over all others
};

struct Variation {
  std::vector<double> steps;           // seconds, by draw
  Quantiles step;                      // seconds
  double spread = 0;                   // standard deviation of ln(step)
  std::vector<VariationCause> causes;  // what moves the step at all, largest share first
  double together = 0;                 // 1 - sum of shares: causes that meet, and sampling
  double fastest = 0;                  // share of draws in which no case of its fabric is faster
};

}  // namespace heddle::run
