#include "sim/io/training_export/launch_settings.h"

#include <fmt/format.h>

#include "sim/io/scenario_words.h"
#include "sim/io/training_export/accelerate_writer.h"
#include "sim/io/training_export/deepspeed_writer.h"

namespace heddle::io {
namespace {

bool is_deepspeed(const run::Scenario& scenario, const run::StrategyChoice& choice) {
  const bool stage =
      choice.strategy == "zero1" || choice.strategy == "zero2" || choice.strategy == "zero3";
  const model::Precision precision = scenario.compute.precision;
  return stage &&
         (precision == model::Precision::kBFloat16 || precision == model::Precision::kFloat16);
}

bool is_accelerate(const run::StrategyChoice& choice) {
  if (choice.strategy == "ddp") return choice.options.ddp == parallel::DdpOptions{};
  return choice.strategy == "fsdp" && accelerate_can_say(choice.options.fsdp, choice.dialect);
}

/// What DeepSpeed's file has a key for, Accelerate's leaves to the script.
void say_batch(const run::Scenario& scenario, const run::StrategyChoice& choice,
               LaunchSettings& settings) {
  settings.script.push_back(fmt::format("batch size {} per GPU", scenario.batch.micro_batch));
  const std::int64_t accumulation = scenario.training.accumulation;
  if (accumulation == 1) return;
  settings.script.push_back(
      choice.strategy == "fsdp"
          ? fmt::format("GradientAccumulationPlugin(num_steps={}, sync_each_batch=True)",
                        accumulation)
          : fmt::format("gradient_accumulation_steps={}", accumulation));
}

void say_checkpointing(const run::Scenario& scenario, bool in_file, LaunchSettings& settings) {
  const model::Checkpointing mode = scenario.compute.checkpointing;
  if (mode == model::Checkpointing::kNone) return;
  if (mode != model::Checkpointing::kFull) {
    settings.script.push_back(
        fmt::format("{} activation checkpointing", checkpointings().name_of(mode)));
  } else if (!in_file) {
    settings.script.emplace_back("model.gradient_checkpointing_enable()");
  }
}

}  // namespace

std::optional<LaunchSettings> launch_settings(const run::Scenario& scenario,
                                              const run::StrategyChoice& choice) {
  LaunchSettings settings;
  if (is_deepspeed(scenario, choice)) {
    settings = {"DeepSpeed configuration", "ds_config.json", deepspeed_json(scenario, choice), {}};
    say_checkpointing(scenario, false, settings);
    return settings;
  }
  if (!is_accelerate(choice)) return std::nullopt;
  settings = {"Accelerate configuration", "accelerate.yaml", accelerate_yaml(scenario, choice), {}};
  say_batch(scenario, choice, settings);
  say_checkpointing(scenario, choice.strategy == "fsdp", settings);
  return settings;
}

}  // namespace heddle::io
