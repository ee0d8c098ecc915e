#pragma once
// Repeated measurements of one thing.
//
//   percentile   linear between order statistics
//   spread       (P90 - P10) / median
//   enough       at least kFewest samples, and the median's standard error, about 1.25 s / sqrt(n)
//                with s = (P90 - P10) / 2.56, is below kEnoughError of it; or kMost samples; or
//                spread > kHopelessSpread, which more samples do not mend
//   noisy        spread > kNoisySpread

#include <cstddef>
#include <span>

namespace heddle::judge {

inline constexpr std::size_t kFewest = 9;
inline constexpr std::size_t kMost = 27;
inline constexpr double kEnoughError = 0.02;
inline constexpr double kNoisySpread = 0.25;
inline constexpr double kHopelessSpread = 0.5;

struct Summary {
  std::size_t samples = 0;
  double median = 0;
  double p10 = 0;
  double p90 = 0;

  double spread() const { return median > 0 ? (p90 - p10) / median : 0; }
  bool noisy() const { return spread() > kNoisySpread; }
  bool enough() const;
};

/// `values` must not be empty.
Summary summarize(std::span<const double> values);
double percentile(std::span<const double> values, double share);
double mean(std::span<const double> values);

}  // namespace heddle::judge
