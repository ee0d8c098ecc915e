#pragma once
// The random numbers of a case, and its step for any of them.

#include <string>
#include <vector>

#include "sim/run/study.h"
#include "sim/run/variation/rank_noise.h"
#include "sim/run/variation/step_model.h"

namespace heddle::run {

struct DrawnParameter {
  const Parameter* parameter;
  Sigma sigma;        // above 0
  std::string scope;  // whose it is: a GPU kind, a machine, or ""
};

class CaseDraws {
 public:
  /// Keeps references to all three.
  CaseDraws(const Study& study, const CaseId& id, const CaseResult& result);

  const VariationChoice& choice() const { return choice_; }
  const std::vector<DrawnParameter>& parameters() const { return drawn_; }
  /// Whether GPUs or steps differ; if not, slowest() is not to be asked.
  bool ranks_vary() const;

  /// What draw `draw` makes of the hardware.
  Perturbed values(int draw) const;
  /// The same with `z` in place of its normal for parameters()[which].
  Perturbed values(int draw, std::size_t which, double z) const;
  Slowest slowest(int draw) const;
  /// The model's own error, to be added to ln(step).
  double model_error(int draw) const;
  /// ln(step) as simulated; `slowdown` counts if ranks vary.
  double log_step(const Perturbed& values, double slowdown) const;

 private:
  std::string scope_of(const Parameter& parameter) const;
  double normal_of(int draw, const DrawnParameter& drawn) const;

  const VariationChoice& choice_;
  std::uint64_t seed_;
  const std::string& id_;
  const Machine& machine_;
  engine::Platform platform_;
  int ranks_;
  StepModel model_;
  std::vector<DrawnParameter> drawn_;
};

}  // namespace heddle::run
