#include "sim/run/variation/step_model.h"

#include <algorithm>
#include <cmath>

#include "sim/engine/simulation.h"

namespace heddle::run {

StepModel::StepModel(const schedule::Schedule& schedule, const engine::Platform& platform)
    : schedule_(schedule), platform_(platform), nominal_{platform.gpu, platform.host} {
  log_step_ = log_step(nominal_);
}

double StepModel::simulate(const Perturbed& values, std::vector<std::int64_t> speeds) const {
  PerturbedCosts priced = price(schedule_, platform_, values);
  priced.costs.speeds = std::move(speeds);
  const engine::RunResult run = engine::simulate(
      schedule_, priced.costs, {.record_intervals = false, .replay_allocator = false});
  Duration step;
  for (const engine::RankResult& rank : run.ranks) step = std::max(step, rank.steps.back().step);
  return std::log(step.seconds());
}

double StepModel::log_step(const Perturbed& values) const {
  return simulate(values, platform_.speeds);
}

double StepModel::log_step(const Perturbed& values, double slowdown) const {
  const std::int64_t speed = std::llround(static_cast<double>(kPpb) / slowdown);
  return simulate(values, std::vector(static_cast<std::size_t>(schedule_.rank_count()), speed));
}

}  // namespace heddle::run
