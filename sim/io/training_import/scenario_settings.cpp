#include "sim/io/training_import/scenario_settings.h"

#include <fmt/format.h>

namespace heddle::io {
namespace {

constexpr const char* kScenario = "the scenario";

}  // namespace

ScenarioSettings::ScenarioSettings(const std::optional<Value>& training, run::Scenario& scenario,
                                   Diagnostics& out)
    : scenario_(scenario), out_(out) {
  if (!training) return;
  for (const std::string& key : training->keys()) {
    set_by_.emplace(key, kScenario);
    for (const std::string& inner : training->member(key)->keys()) {
      set_by_.emplace(key + "." + inner, kScenario);
    }
  }
}

bool ScenarioSettings::is_stated(std::string_view key) const {
  const auto place = set_by_.find(key);
  return place != set_by_.end() && place->second == kScenario;
}

std::string ScenarioSettings::claim(std::string_view key, const Value& at) {
  const auto [place, fresh] = set_by_.emplace(std::string(key), at.file());
  return fresh ? "" : place->second;
}

void ScenarioSettings::refuse(std::string_view key, const std::string& text,
                              const std::string& present, const std::string& claimed,
                              const Value& at) {
  at.error(
      "conflict",
      fmt::format("means training.{} = {}, but {} says {}", key, text, claimed, present),
      claimed == kScenario
          ? fmt::format("set training.{} to {} in the scenario, or leave it out there", key, text)
          : "a scenario has one training for all its strategies: make two scenarios",
      out_);
}

void ScenarioSettings::set_flag(std::string_view key, bool& member, bool value, const Value& at,
                                Origin origin) {
  set(key, member, value, fmt::format("{}", value), fmt::format("{}", member), at, origin);
}

void ScenarioSettings::set_count(std::string_view key, std::int64_t& member, std::int64_t value,
                                 const Value& at) {
  set(key, member, value, fmt::format("{}", value), fmt::format("{}", member), at);
}

void ScenarioSettings::micro_batch(std::int64_t value, const Value& at) {
  set_count("micro_batch", scenario_.batch.micro_batch, value, at);
}
void ScenarioSettings::accumulation(std::int64_t value, const Value& at) {
  set_count("accumulation", scenario_.training.accumulation, value, at);
}
void ScenarioSettings::clipping(bool value, const Value& at) {
  set_flag("gradient_clipping", scenario_.training.gradient_clipping, value, at);
}
void ScenarioSettings::precision(model::Precision value, const Value& at) {
  set_word("precision", scenario_.compute.precision, value, precisions(), at);
}
void ScenarioSettings::optimizer(parallel::OptimizerKind kind, parallel::OptimizerKernel kernel,
                                 const Value& at) {
  parallel::OptimizerSpec& spec = scenario_.training.optimizer;
  set_word("optimizer.type", spec.kind, kind, optimizer_types(), at);
  set_word("optimizer.kernel", spec.kernel, kernel, optimizer_kernels(), at);
}
void ScenarioSettings::offload_optimizer(bool value, const Value& at) {
  set_flag("offload.optimizer", scenario_.training.offload.optimizer, value, at);
}
void ScenarioSettings::offload_parameters(bool value, const Value& at) {
  set_flag("offload.parameters", scenario_.training.offload.parameters, value, at);
}
void ScenarioSettings::checkpointing(model::Checkpointing value, const Value& at, Origin origin) {
  set_word("checkpointing", scenario_.compute.checkpointing, value, checkpointings(), at, origin);
}
void ScenarioSettings::compiled(bool value, const Value& at, Origin origin) {
  set_flag("compile", scenario_.compute.compiled, value, at, origin);
}
void ScenarioSettings::liger(bool on, const Value& at) {
  const Origin origin = on ? Origin::kStated : Origin::kDefault;
  const model::LossHead loss = on ? model::LossHead::kFused : model::ComputeOptions{}.loss;
  set_flag("fused_norm", scenario_.compute.fused_norm, on, at, origin);
  set_flag("fused_mlp", scenario_.compute.fused_mlp, on, at, origin);
  set_word("loss", scenario_.compute.loss, loss, loss_heads(), at, origin);
}

}  // namespace heddle::io
