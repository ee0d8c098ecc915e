#include "sim/run/variation/case_draws.h"

#include <cmath>
#include <utility>

#include "sim/run/variation/normal.h"

namespace heddle::run {
namespace {

/// exp(sigma z), to 10^-9: what a last bit of libm says must not reach a result.
double log_normal(double sigma, double z) {
  return std::round(std::exp(sigma * z) * 1e9) / 1e9;
}

}  // namespace

CaseDraws::CaseDraws(const Study& study, const CaseId& id, const CaseResult& result)
    : choice_(study.scenario().variation),
      seed_(study.scenario().seed),
      id_(id.id),
      machine_(study.machine(id)),
      platform_(study.platform(id)),
      ranks_(result.ranks),
      model_(*result.schedule, platform_) {
  if (!choice_.hardware) return;
  for (const Parameter& p : run::parameters()) {
    Sigma sigma = p.sigma(machine_, choice_);
    if (sigma.relative > 0) drawn_.push_back({&p, std::move(sigma), scope_of(p)});
  }
}

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

double CaseDraws::normal_of(int draw, const DrawnParameter& drawn) const {
  Rng rng(stream_of({seed_, draw}, drawn.parameter->name, drawn.scope));
  return normal(rng);
}

Perturbed CaseDraws::values(int draw) const {
  return values(draw, drawn_.size(), 0);
}

Perturbed CaseDraws::values(int draw, std::size_t which, double z) const {
  Perturbed values = model_.nominal();
  for (std::size_t i = 0; i < drawn_.size(); ++i) {
    const DrawnParameter& d = drawn_[i];
    const double own = i == which ? z : normal_of(draw, d);
    d.parameter->scale(values, log_normal(d.sigma.relative, own));
  }
  return values;
}

Slowest CaseDraws::slowest(int draw) const {
  return slowest_of(choice_, ranks_, platform_.speeds, {seed_, draw}, machine_.fabric.name(), id_);
}

double CaseDraws::model_error(int draw) const {
  if (choice_.model_form <= 0) return 0;
  Rng rng(stream_of({seed_, draw}, "model form", id_));
  return choice_.model_form * normal(rng);
}

double CaseDraws::log_step(const Perturbed& values, double slowdown) const {
  return ranks_vary() ? model_.log_step(values, slowdown) : model_.log_step(values);
}

}  // namespace heddle::run
