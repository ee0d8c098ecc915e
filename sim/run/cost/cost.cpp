#include "sim/run/cost/cost.h"

namespace heddle::run {
namespace {

constexpr double kSecondsPerHour = 3600;
constexpr double kMillion = 1e6;

CostAmount times(const CostAmount& amount, double factor) {
  CostAmount out{amount.hours * factor, amount.money * factor, std::nullopt};
  if (amount.kwh) out.kwh = *amount.kwh * factor;
  return out;
}

CostOf times(const CostOf& cost, double factor) {
  return {times(cost.all, factor), times(cost.waiting, factor)};
}

/// `busy` and `idle` seconds of every GPU.
CostAmount amount(const CostReport& report, int gpus, double busy, double idle) {
  CostAmount out;
  out.hours = (busy + idle) / kSecondsPerHour;
  out.money = gpus * out.hours * report.price;
  if (report.power_busy && report.power_idle) {
    const double joules = *report.power_busy * busy + *report.power_idle * idle;
    out.kwh = report.pue * gpus * joules / 1000 / kSecondsPerHour;
  }
  return out;
}

/// Tokens or samples of all GPUs in a step.
double units_per_step(const CaseResult& result, bool counts_samples) {
  const double rate = counts_samples ? result.samples_per_second : result.tokens_per_second;
  return rate * result.step_time.seconds();
}

double steps_of(const RunLength& length, const CostChoice& choice, double per_step) {
  switch (length.unit) {
    case RunLength::Unit::kSteps:
      return length.count;
    case RunLength::Unit::kEpochs:
      return length.count * choice.dataset->count / per_step;
    case RunLength::Unit::kTokens:
    case RunLength::Unit::kSamples:
      break;
  }
  return length.count / per_step;
}

std::string unit_problem(const RunLength& length, std::string_view key, bool counts_samples) {
  using Unit = RunLength::Unit;
  if (length.unit != (counts_samples ? Unit::kTokens : Unit::kSamples)) return "";
  return "cost." + std::string(key) +
         (counts_samples ? " is in tokens, an image model is trained on samples"
                         : " is in samples, this model is trained on tokens");
}

}  // namespace

CostReport cost_of(const CostChoice& choice, const GpuPower& power, const CaseResult& result,
                   bool counts_samples) {
  CostReport report;
  report.currency = choice.currency;
  report.price = choice.price;
  report.power_idle = choice.power_idle ? choice.power_idle : power.idle;
  report.power_busy = choice.power_busy ? choice.power_busy : power.busy;
  report.pue = choice.pue;
  const double step = result.step_time.seconds();
  const double compute = result.accounting.compute.seconds();
  report.step.all = amount(report, result.ranks, compute, step - compute);
  report.step.waiting = amount(report, result.ranks, 0, result.accounting.exposed_comm.seconds());
  const double per_step = units_per_step(result, counts_samples);
  report.million = times(report.step, kMillion / per_step);
  if (choice.dataset) report.epoch = times(report.step, choice.dataset->count / per_step);
  if (choice.run) {
    report.run_steps = steps_of(*choice.run, choice, per_step);
    report.run = times(report.step, report.run_steps);
  }
  return report;
}

std::string cost_problem(const CostChoice& choice, bool counts_samples) {
  if (choice.dataset) {
    const std::string problem = unit_problem(*choice.dataset, "dataset", counts_samples);
    if (!problem.empty()) return problem;
  }
  if (!choice.run) return "";
  if (choice.run->unit == RunLength::Unit::kEpochs && !choice.dataset) {
    return "cost.run is in epochs, and cost.dataset does not say how long one is";
  }
  return unit_problem(*choice.run, "run", counts_samples);
}

}  // namespace heddle::run
