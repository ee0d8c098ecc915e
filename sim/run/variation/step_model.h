#pragma once
// The length of a planned step as a function of what varies. Nothing is planned anew.

#include <cstdint>
#include <vector>

#include "sim/run/variation/parameters.h"

namespace heddle::run {

class StepModel {
 public:
  /// Keeps references to both.
  StepModel(const schedule::Schedule& schedule, const engine::Platform& platform);

  const Perturbed& nominal() const { return nominal_; }
  /// ln of the last step in seconds, as without any variation.
  double log_step() const { return log_step_; }
  /// The same with other values, and with every GPU slower by `slowdown` than its model says.
  double log_step(const Perturbed& values, double slowdown) const;
  /// With other values only.
  double log_step(const Perturbed& values) const;

 private:
  double simulate(const Perturbed& values, std::vector<std::int64_t> speeds) const;

  const schedule::Schedule& schedule_;
  const engine::Platform& platform_;
  Perturbed nominal_;
  double log_step_ = 0;
};

}  // namespace heddle::run
