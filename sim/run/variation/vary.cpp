#include "sim/run/variation/vary.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/run/variation/normal.h"
#include "sim/run/variation/rank_noise.h"
#include "sim/run/variation/statistics.h"
#include "sim/run/variation/step_model.h"

namespace heddle::run {
namespace {

constexpr std::string_view kModelForm = "model form";

/// exp(sigma z), to 10^-9: what a last bit of libm says must not reach a result.
double log_normal(double sigma, double z) {
  return std::round(std::exp(sigma * z) * 1e9) / 1e9;
}

struct Drawn {
  const Parameter* parameter;
  Sigma sigma;
  std::string scope;
};

class CaseDraws {
 public:
  CaseDraws(const Study& study, const CaseId& id, const CaseResult& result)
      : choice_(study.scenario().variation),
        seed_(study.scenario().seed),
        id_(id.id),
        machine_(study.machine(id)),
        platform_(study.platform(id)),
        ranks_(result.schedule.rank_count()),
        model_(result.schedule, platform_) {
    if (!choice_.hardware) return;
    for (const Parameter& p : parameters()) {
      Sigma sigma = p.sigma(machine_, choice_);
      if (sigma.relative > 0) drawn_.push_back({&p, std::move(sigma), scope_of(p)});
    }
  }

  Variation run(int draws);

 private:
  std::string scope_of(const Parameter& parameter) const;
  double draw_step(int draw);
  bool ranks_vary() const;
  double parameter_variance(const Drawn& drawn) const;
  double response_variance(double Slowest::*alone);
  void add_cause(std::string_view name, double sigma, std::string origin, double variance);
  void add_causes();

  const VariationChoice& choice_;
  std::uint64_t seed_;
  const std::string& id_;
  const Machine& machine_;
  engine::Platform platform_;
  int ranks_;
  StepModel model_;
  std::vector<Drawn> drawn_;
  std::vector<Slowest> slowest_;  // by draw
  Variation result_;
};

std::string CaseDraws::scope_of(const Parameter& parameter) const {
  switch (parameter.of) {
    case Parameter::Of::kGpu:
      return machine_.gpu.name;
    case Parameter::Of::kMachine:
      return machine_.fabric.name();
    case Parameter::Of::kHost:
      break;
  }
  return "";
}

bool CaseDraws::ranks_vary() const {
  return choice_.kernel_noise > 0 || choice_.gpu_spread > 0 || choice_.straggler_chance > 0;
}

double CaseDraws::draw_step(int draw) {
  const DrawPlace place{seed_, draw};
  Perturbed values = model_.nominal();
  for (const Drawn& d : drawn_) {
    Rng rng(stream_of(place, d.parameter->name, d.scope));
    d.parameter->scale(values, log_normal(d.sigma.relative, normal(rng)));
  }
  double log_step = 0;
  if (ranks_vary()) {
    slowest_.push_back(
        slowest_of(choice_, ranks_, platform_.speeds, place, machine_.fabric.name(), id_));
    log_step = model_.log_step(values, slowest_.back().all);
  } else {
    log_step = model_.log_step(values);
  }
  if (choice_.model_form > 0) {
    Rng rng(stream_of(place, kModelForm, id_));
    log_step += choice_.model_form * normal(rng);
  }
  return log_step;
}

/// Of ln(step) over the parameter's normal z, by three-point Gauss-Hermite quadrature: exact for a
/// response of up to second degree.
double CaseDraws::parameter_variance(const Drawn& drawn) const {
  const double node = std::sqrt(3.0) * drawn.sigma.relative;
  double first = 0;
  double second = 0;
  for (const double at : {-node, node}) {
    Perturbed values = model_.nominal();
    drawn.parameter->scale(values, std::exp(at));
    const double change = model_.log_step(values) - model_.log_step();
    first += change / 6;
    second += change * change / 6;
  }
  return second - first * first;
}

double CaseDraws::response_variance(double Slowest::*alone) {
  std::vector<double> logs;
  for (const Slowest& slowest : slowest_) logs.push_back(model_.response(slowest.*alone));
  return logs.empty() ? 0 : variance_of(logs);
}

void CaseDraws::add_cause(std::string_view name, double sigma, std::string origin,
                          double variance) {
  const double share = variance / (result_.spread * result_.spread);
  constexpr double kLeast = 1e-6;
  if (share < kLeast) return;
  result_.causes.push_back({std::string(name), sigma, std::move(origin), share});
  result_.together -= share;
}

void CaseDraws::add_causes() {
  result_.together = 1;
  for (const Drawn& d : drawn_) {
    add_cause(d.parameter->name, d.sigma.relative, d.sigma.origin, parameter_variance(d));
  }
  add_cause("GPU to GPU", choice_.gpu_spread, "variation.gpu_spread of the scenario",
            response_variance(&Slowest::spread));
  add_cause("step to step", choice_.kernel_noise, "variation.kernel_noise of the scenario",
            response_variance(&Slowest::noise));
  add_cause("stragglers", choice_.straggler_chance, "variation.straggler_* of the scenario",
            response_variance(&Slowest::straggler));
  add_cause(kModelForm, choice_.model_form, "variation.model_form of the scenario",
            choice_.model_form * choice_.model_form);
  std::stable_sort(
      result_.causes.begin(), result_.causes.end(),
      [](const VariationCause& a, const VariationCause& b) { return a.share > b.share; });
}

Variation CaseDraws::run(int draws) {
  std::vector<double> logs;
  for (int draw = 0; draw < draws; ++draw) {
    logs.push_back(draw_step(draw));
    result_.steps.push_back(std::exp(logs.back()));
  }
  result_.step = quantiles_of(result_.steps);
  result_.spread = std::sqrt(variance_of(logs));
  if (result_.spread > 0) add_causes();
  return std::move(result_);
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
    results[i].variation = CaseDraws(study, cases[i], results[i]).run(draws);
  }
  for (std::size_t begin = 0; begin < cases.size();) {
    std::size_t end = begin;
    while (end < cases.size() && cases[end].fabric == cases[begin].fabric) ++end;
    rank_cases(results.subspan(begin, end - begin), draws);
    begin = end;
  }
}

}  // namespace heddle::run
