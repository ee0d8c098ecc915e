#include "sim/io/training_import/trainer_compute.h"

#include <fmt/format.h>

namespace heddle::io {
namespace {

constexpr std::string_view kAbsent = "off by default; the scenario's if it says so";

Origin origin_of(bool is_given) {
  return is_given ? Origin::kStated : Origin::kDefault;
}

/// What gradient_checkpointing_enable() is called with.
void read_variant(ConfigKeys& keys) {
  auto variant = keys.section("gradient_checkpointing_kwargs");
  if (!variant) return;
  variant->only("use_reentrant", {"true"}, "only the re-entrant variant is modelled",
                "set it to true");
  variant->without_effect({"preserve_rng_state"});
  variant->finish();
}

void read_checkpointing(ConfigKeys& keys, bool fsdp_checkpoints, ImportContext& context) {
  constexpr std::string_view kKey = "gradient_checkpointing";
  const auto given = keys.flag(kKey);
  if (given == true) read_variant(keys);
  const bool on = given.value_or(false) || fsdp_checkpoints;
  context.settings.checkpointing(on ? model::Checkpointing::kFull : model::Checkpointing::kNone,
                                 keys.place_of(kKey), origin_of(given || fsdp_checkpoints));
  std::string_view why = given ? kInFile : kAbsent;
  if (given != true && on) why = "fsdp_config checkpoints";
  keys.decide(kKey, on ? "checkpointing \"full\"" : "no checkpointing", why);
}

/// A backend or a mode turns it on (TrainingArguments.__post_init__).
void read_compile(ConfigKeys& keys, ImportContext& context) {
  constexpr std::string_view kKey = "torch_compile";
  const auto given = keys.flag(kKey);
  const bool on = given.value_or(false) || keys.take("torch_compile_mode") ||
                  keys.take("torch_compile_backend");
  if (on) {
    keys.only("torch_compile_mode", {"default"}, "another mode than \"default\" is not modelled",
              "take the key out");
    keys.only("torch_compile_backend", {"inductor"}, "another backend is not modelled",
              "use inductor");
  }
  context.settings.compiled(on, keys.place_of(kKey), origin_of(given || on));
  keys.decide(kKey, fmt::format("compile {}", on), given ? kInFile : kAbsent);
}

void read_liger(ConfigKeys& keys, ImportContext& context) {
  constexpr std::string_view kKey = "use_liger_kernel";
  const bool on = keys.flag(kKey).value_or(false);
  context.settings.liger(on, keys.place_of(kKey));
  keys.decide(kKey, on ? "fused_norm, fused_mlp, loss \"fused\"" : "nothing fused by Liger",
              on ? "Liger's defaults" : kAbsent);
}

}  // namespace

void read_trainer_compute(ConfigKeys& keys, bool fsdp_checkpoints, ImportContext& context) {
  read_checkpointing(keys, fsdp_checkpoints, context);
  read_compile(keys, context);
  read_liger(keys, context);
}

}  // namespace heddle::io
