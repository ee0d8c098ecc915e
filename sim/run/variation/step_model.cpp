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

double StepModel::at_percent(int percent) {
  const auto [found, fresh] = known_.try_emplace(percent, 0);
  if (fresh) found->second = log_step(nominal_, percent * 0.01);
  return found->second;
}

double StepModel::response(double slowdown) {
  const double at = slowdown * 100;
  const int below = static_cast<int>(std::floor(at));
  const double low = at_percent(below);
  if (at == below) return low;
  return low + (at - below) * (at_percent(below + 1) - low);
}

}  // namespace heddle::run
