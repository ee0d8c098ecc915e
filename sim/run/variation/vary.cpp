#include "sim/run/variation/vary.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "sim/run/variation/case_draws.h"
#include "sim/run/variation/main_effects.h"
#include "sim/run/variation/statistics.h"

namespace heddle::run {
namespace {

void add_cause(std::string_view name, double sigma, std::string origin, double variance,
               Variation& result) {
  const double share = variance / (result.spread * result.spread);
  constexpr double kLeast = 1e-6;
  if (share < kLeast) return;
  result.causes.push_back({std::string(name), sigma, std::move(origin), share});
  result.together -= share;
}

void add_causes(const CaseDraws& draws, MainEffects& effects, Variation& result) {
  const VariationChoice& choice = draws.choice();
  result.together = 1;
  for (std::size_t i = 0; i < draws.parameters().size(); ++i) {
    const DrawnParameter& p = draws.parameters()[i];
    add_cause(p.parameter->name, p.sigma.relative, p.sigma.origin, effects.of_parameter(i), result);
  }
  add_cause("GPU to GPU", choice.gpu_spread, "variation.gpu_spread of the scenario",
            effects.of_ranks(&Slowest::spread), result);
  add_cause("step to step", choice.kernel_noise, "variation.kernel_noise of the scenario",
            effects.of_ranks(&Slowest::noise), result);
  add_cause("stragglers", choice.straggler_chance, "variation.straggler_* of the scenario",
            effects.of_ranks(&Slowest::straggler), result);
  add_cause("model form", choice.model_form, "variation.model_form of the scenario",
            choice.model_form * choice.model_form, result);
  std::stable_sort(
      result.causes.begin(), result.causes.end(),
      [](const VariationCause& a, const VariationCause& b) { return a.share > b.share; });
}

Variation vary(const CaseDraws& draws, int count) {
  Variation result;
  std::vector<double> logs;
  std::vector<Slowest> slowest;
  for (int draw = 0; draw < count; ++draw) {
    if (draws.ranks_vary()) slowest.push_back(draws.slowest(draw));
    const double slowdown = slowest.empty() ? 1 : slowest.back().all;
    logs.push_back(draws.log_step(draws.values(draw), slowdown) + draws.model_error(draw));
    result.steps.push_back(std::exp(logs.back()));
  }
  result.step = quantiles_of(result.steps);
  result.spread = std::sqrt(variance_of(logs));
  if (result.spread <= 0) return result;
  MainEffects effects(draws, slowest, count);
  add_causes(draws, effects, result);
  return result;
}

/// A tie counts for all that tie.
void rank_cases(std::span<CaseResult> of_fabric, int draws) {
  for (CaseResult& result : of_fabric) {
    int fastest = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(draws); ++i) {
      const bool beaten = std::any_of(of_fabric.begin(), of_fabric.end(), [&](const CaseResult& r) {
        return r.variation->steps[i] < result.variation->steps[i];
      });
      fastest += beaten ? 0 : 1;
    }
    result.variation->fastest = static_cast<double>(fastest) / draws;
  }
}

}  // namespace

void vary(const Study& study, std::span<const CaseId> cases, int draws,
          std::span<CaseResult> results) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    results[i].variation = vary(CaseDraws(study, cases[i], results[i]), draws);
  }
  for (std::size_t begin = 0; begin < cases.size();) {
    std::size_t end = begin;
    while (end < cases.size() && cases[end].fabric == cases[begin].fabric) ++end;
    rank_cases(results.subspan(begin, end - begin), draws);
    begin = end;
  }
}

}  // namespace heddle::run
