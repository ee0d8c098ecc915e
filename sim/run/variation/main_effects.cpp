#include "sim/run/variation/main_effects.h"

#include <algorithm>
#include <cmath>

#include "sim/run/variation/statistics.h"

namespace heddle::run {

MainEffects::MainEffects(const CaseDraws& draws, const std::vector<Slowest>& slowest, int count)
    : draws_(draws), slowest_(slowest), others_(std::min(count, kOthers)) {}

double MainEffects::slowdown(int draw) const {
  return slowest_.empty() ? 1 : slowest_[static_cast<std::size_t>(draw)].all;
}

double MainEffects::mean_at(std::size_t which, double z) const {
  double sum = 0;
  for (int draw = 0; draw < others_; ++draw) {
    sum += draws_.log_step(draws_.values(draw, which, z), slowdown(draw));
  }
  return sum / others_;
}

double MainEffects::of_parameter(std::size_t which) const {
  const double node = std::sqrt(3.0);  // with weight 1/6 each, 2/3 in the middle
  const double middle = mean_at(which, 0);
  const double below = mean_at(which, -node) - middle;
  const double above = mean_at(which, node) - middle;
  const double mean = (below + above) / 6;
  return (below * below + above * above) / 6 - mean * mean;
}

double MainEffects::response_at(int percent) {
  const auto [found, fresh] = known_.try_emplace(percent, 0);
  for (int draw = 0; fresh && draw < others_; ++draw) {
    found->second += draws_.log_step(draws_.values(draw), percent * 0.01) / others_;
  }
  return found->second;
}

/// Simulated at whole percents, linear between them.
double MainEffects::response(double slowdown) {
  const double at = slowdown * 100;
  const int below = static_cast<int>(std::floor(at));
  const double low = response_at(below);
  return at == below ? low : low + (at - below) * (response_at(below + 1) - low);
}

double MainEffects::of_ranks(double Slowest::*alone) {
  std::vector<double> logs;
  for (const Slowest& slowest : slowest_) logs.push_back(response(slowest.*alone));
  return logs.empty() ? 0 : variance_of(logs);
}

}  // namespace heddle::run
