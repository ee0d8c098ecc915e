#pragma once
// How much of the variance of ln(step) each cause explains by itself: the variance, over that
// cause, of the mean over all others (the first-order index of Sobol times the variance). What is
// left over is causes that meet, as a slow host and slow kernels do, where the later one decides.

#include <map>
#include <vector>

#include "sim/run/variation/case_draws.h"

namespace heddle::run {

class MainEffects {
 public:
  /// The others are those of the first kOthers draws. `slowest` is by draw; empty if ranks do not
  /// vary. Keeps references to both.
  MainEffects(const CaseDraws& draws, const std::vector<Slowest>& slowest, int count);

  /// Of draws.parameters()[which], by three-point Gauss-Hermite quadrature over its normal: exact
  /// for a response of up to second degree.
  double of_parameter(std::size_t which) const;
  /// Of what is drawn for each rank, over the draws.
  double of_ranks(double Slowest::*alone);

 private:
  static constexpr int kOthers = 8;
  double slowdown(int draw) const;
  double mean_at(std::size_t which, double z) const;
  double response(double slowdown);
  double response_at(int percent);

  const CaseDraws& draws_;
  const std::vector<Slowest>& slowest_;
  int others_;
  std::map<int, double> known_;  // mean ln(step) by percent of slowdown
};

}  // namespace heddle::run
