#include "sim/io/training_import/deepspeed_config.h"

#include <fmt/format.h>

#include "sim/io/option_list.h"
#include "sim/io/scenario_limits.h"
#include "sim/io/training_import/config_keys.h"
#include "sim/io/training_import/deepspeed_zero.h"
#include "sim/io/training_import/value_text.h"

namespace heddle::io {
namespace {

using parallel::OptimizerKernel;
using parallel::OptimizerKind;

constexpr std::string_view kScenario = "not given here: the scenario's";

/// DeepSpeed works out the third of micro-batch, accumulation and global batch from the ranks,
/// which a scenario has several of.
void read_batch(ConfigKeys& keys, const DeepSpeedCaller& caller, ImportContext& context) {
  const auto total = keys.take("train_batch_size");
  const auto micro = keys.take("train_micro_batch_size_per_gpu");
  const auto steps = keys.take("gradient_accumulation_steps");
  const bool has_total = total && !keys.is_auto("train_batch_size");
  if (has_total && (!micro || !steps)) {
    keys.refuse("train_batch_size", "what each rank gets of it depends on the number of ranks",
                "give train_micro_batch_size_per_gpu and gradient_accumulation_steps");
    return;
  }
  if (total)
    keys.decide("train_batch_size", "nothing", "the product of the two others and the ranks");
  if (micro && !keys.is_auto("train_micro_batch_size_per_gpu")) {
    if (const auto n = keys.count("train_micro_batch_size_per_gpu", 1, kMaxTokens)) {
      context.settings.micro_batch(*n, *micro);
      keys.decide("train_micro_batch_size_per_gpu", fmt::format("micro_batch {}", *n), kInFile);
    }
  } else {
    keys.decide("train_micro_batch_size_per_gpu",
                fmt::format("micro_batch {}", context.settings.scenario().batch.micro_batch),
                kScenario);
  }
  if (steps && !keys.is_auto("gradient_accumulation_steps")) {
    if (const auto n = keys.count("gradient_accumulation_steps", 1, kMaxOptionCount)) {
      context.settings.accumulation(*n, *steps);
      keys.decide("gradient_accumulation_steps", fmt::format("accumulation {}", *n), kInFile);
    }
  } else if (steps || caller.sets_batch) {
    keys.decide("gradient_accumulation_steps",
                fmt::format("accumulation {}", context.settings.scenario().training.accumulation),
                kScenario);
  } else {
    context.settings.accumulation(1, keys.object());
    keys.decide("gradient_accumulation_steps", "accumulation 1", "DeepSpeed's default");
  }
}

void read_clipping(ConfigKeys& keys, const DeepSpeedCaller& caller, ImportContext& context) {
  constexpr std::string_view kKey = "gradient_clipping";
  const auto value = keys.take(kKey);
  if (keys.is_auto(kKey) || (!value && caller.clips)) {
    const bool clips =
        caller.clips.value_or(context.settings.scenario().training.gradient_clipping);
    context.settings.clipping(clips, keys.place_of(kKey));
    keys.decide(kKey, fmt::format("gradient_clipping {}", clips),
                caller.clips ? "the launcher's: max_grad_norm above 0" : kScenario);
    return;
  }
  const auto norm = value ? loose_number(*value) : 0.0;
  if (!norm) return value->error("wrong-type", "must be a number", "", keys.diagnostics());
  context.settings.clipping(*norm > 0, value.value_or(keys.object()));
  keys.decide(kKey, fmt::format("gradient_clipping {}", *norm > 0),
              value ? kInFile : "DeepSpeed's default: 0.0, no clipping");
}

/// Whether "enabled" of a section is true; "auto" gives `automatic`.
bool is_enabled(ConfigKeys& keys, std::string_view name, bool automatic) {
  auto section = keys.section(name);
  if (!section) return false;
  if (section->is_auto("enabled")) return automatic;
  return section->flag("enabled").value_or(false);
}

/// The section "fp16" or "bf16", by its name in the file.
struct PrecisionSection {
  std::string_view name;
  model::Precision precision;
  std::string_view word;
};

void read_precision_section(ConfigKeys& keys, const PrecisionSection& which,
                            ImportContext& context) {
  const auto value = keys.take(which.name);
  auto section = *keys.section(which.name);
  section.take("enabled");
  section.only("immediate_grad_update", {"false"}, "is not modelled", "take the key out");
  section.only("auto_cast", {"false"}, "is not modelled", "take the key out");
  section.only("fp16_master_weights_and_grads", {"false"}, "is not modelled", "take the key out");
  // They scale the loss, which takes one kernel whatever the scale; of bf16 DeepSpeed ignores them.
  section.without_effect({"loss_scale", "loss_scale_window", "initial_scale_power", "hysteresis",
                          "consecutive_hysteresis", "min_loss_scale"});
  section.finish();
  context.settings.precision(which.precision, *value);
  keys.decide(which.name, fmt::format("precision \"{}\"", which.word),
              section.is_auto("enabled")
                  ? fmt::format("\"auto\": the scenario trains in {}", which.word)
                  : std::string(kInFile));
}

void read_precision(ConfigKeys& keys, ImportContext& context) {
  const model::Precision precision = context.settings.scenario().compute.precision;
  const std::string_view name = keys.take("bfloat16") ? "bfloat16" : "bf16";
  const bool half = is_enabled(keys, "fp16", precision == model::Precision::kFloat16);
  const bool brain = is_enabled(keys, name, precision == model::Precision::kBFloat16 && !half);
  if (is_enabled(keys, "amp", false)) keys.refuse("amp", "Apex AMP is not modelled", "enable bf16");
  if (half && brain) {
    keys.refuse("fp16", "fp16 and bf16 are both enabled, which DeepSpeed refuses, too",
                "enable one of them");
  } else if (half) {
    keys.take(name);
    read_precision_section(keys, {"fp16", model::Precision::kFloat16, "fp16"}, context);
  } else if (brain) {
    keys.take("fp16");
    read_precision_section(keys, {name, model::Precision::kBFloat16, "bf16"}, context);
  } else {
    keys.refuse(name, "DeepSpeed is modelled with 16-bit weights only",
                "set bf16.enabled or fp16.enabled to true");
  }
}

std::optional<OptimizerKind> optimizer_kind(const std::string& type, double momentum) {
  if (type == "adam" || type == "adamw") return OptimizerKind::kAdamW;
  if (type == "sgd") return momentum > 0 ? OptimizerKind::kMomentum : OptimizerKind::kSgd;
  if (type == "adafactor") return OptimizerKind::kAdafactor;
  return std::nullopt;
}

/// The rest of "params" of an optimizer that is modelled.
void read_params(ConfigKeys& params) {
  params.without_effect({"lr", "betas", "eps", "weight_decay", "bias_correction", "adam_w_mode",
                         "dampening", "nesterov", "beta2_decay", "d"});
  params.only("amsgrad", {"false"}, "a third moment is not modelled", "set it to false");
  params.only("maximize", {"false"}, "negated gradients are not modelled", "set it to false");
  params.only("set_grad_none", {"true"}, "is modelled true only", "set it to true");
  params.finish();
}

OptimizerKernel kernel_of(OptimizerKind kind, bool fused) {
  if (kind == OptimizerKind::kAdafactor) return OptimizerKernel::kForLoop;  // torch's default
  return fused ? OptimizerKernel::kFused : OptimizerKernel::kForeach;
}

void read_optimizer(ConfigKeys& keys, bool on_host, ImportContext& context, TrainingSetup& setup) {
  auto section = keys.section("optimizer");
  if (!section) return;
  const std::string type = section->word("type").value_or("");
  double momentum = 0;
  bool torch_adam = false;
  if (auto params = section->section("params")) {
    torch_adam = params->flag("torch_adam").value_or(false);
    momentum = params->number("momentum").value_or(0);
    if (optimizer_kind(type, momentum)) read_params(*params);
  }
  const auto kind = optimizer_kind(type, momentum);
  if (!kind) {
    section->refuse("type", fmt::format("optimizer \"{:.40}\" is not modelled", type),
                    "use Adam, AdamW, SGD or Adafactor");
    return;
  }
  section->without_effect({"legacy_fusion"});
  section->finish();
  const bool fused = *kind == OptimizerKind::kAdamW && !torch_adam && !on_host;
  const auto kernel = kernel_of(*kind, fused);
  context.settings.optimizer(*kind, kernel, section->object());
  setup.decisions.push_back(
      {"optimizer", type,
       fmt::format("optimizer \"{}\", kernel \"{}\"", optimizer_types().name_of(*kind),
                   optimizer_kernels().name_of(kernel)),
       fused ? "DeepSpeed takes its FusedAdam"
             : (on_host ? "steps on the host" : "torch.optim's own")});
}

constexpr std::string_view kOff = "take the section out or disable it";

/// Sections that change the model or its sharding by being there, and those that change nothing
/// unless they are enabled.
void read_switched(ConfigKeys& keys) {
  for (const std::string_view name :
       {"sparse_attention", "compression_training", "tensor_parallel", "pipeline"}) {
    if (keys.take(name)) keys.refuse(name, "is not modelled", "take the section out");
  }
  for (const std::string_view name :
       {"progressive_layer_drop", "eigenvalue", "quantize_training", "curriculum_learning",
        "data_efficiency", "hybrid_engine", "elasticity", "autotuning", "torch_autocast"}) {
    if (is_enabled(keys, name, true)) {
      keys.refuse(name, "is not modelled", kOff);
    } else {
      keys.without_effect({name});
    }
  }
}

void read_checkpointing(ConfigKeys& keys, TrainingSetup& setup) {
  auto section = keys.section("activation_checkpointing");
  if (!section) return;
  for (const std::string_view key :
       {"partition_activations", "cpu_checkpointing", "contiguous_memory_optimization"}) {
    section->only(key, {"false"}, "is not modelled", "set it to false");
  }
  section->without_effect({"number_checkpoints", "synchronize_checkpoint_boundary", "profile"});
  section->finish();
  setup.decisions.push_back({"activation_checkpointing", "{...}", "nothing",
                             "it configures checkpoints that the model has to make itself: "
                             "set training.checkpointing if it does"});
}

void read_rest(ConfigKeys& keys) {
  keys.without_effect({"scheduler",
                       "steps_per_print",
                       "wall_clock_breakdown",
                       "dump_state",
                       "tensorboard",
                       "wandb",
                       "csv_monitor",
                       "comet",
                       "monitor_config",
                       "flops_profiler",
                       "comms_logger",
                       "memory_breakdown",
                       "checkpoint",
                       "aio",
                       "seed",
                       "local_rank",
                       "nebula",
                       "dataloader_drop_last",
                       "zero_allow_untested_optimizer",
                       "zero_force_ds_cpu_optimizer",
                       "prescale_gradients",
                       "gradient_predivide_factor"});
  keys.only("communication_data_type", {"bf16", "bfp16", "bfloat16"},
            "another type on the wire than the weights' is not modelled", "take the key out");
  keys.only("sparse_gradients", {"false"}, "is not modelled", "set it to false");
  keys.only("fp32_allreduce", {"false"}, "is not modelled", "set it to false");
  keys.only("disable_allgather", {"false"}, "is not modelled", "set it to false");
  keys.only("graph_harvesting", {"false"}, "is not modelled", "set it to false");
  keys.only("sequence_parallel_size", {"1"}, "is not modelled", "set it to 1");
  if (auto types = keys.section("data_types")) {
    types->only("grad_accum_dtype", {"bf16", "bfp16", "bfloat16"},
                "gradients in another type than the weights are not modelled", "take the key out");
    types->finish();
  }
}

}  // namespace

void read_deepspeed_config(const Value& root, const DeepSpeedCaller& caller, ImportContext& context,
                           TrainingSetup& setup) {
  ConfigKeys keys(root, "", setup, context.out);
  bool on_host = false;
  if (auto zero = keys.section("zero_optimization")) {
    on_host = read_deepspeed_zero(*zero, context, setup);
  } else {
    setup.strategy = "zero0";
    setup.dialect = "deepspeed";
    keys.decide("zero_optimization", "strategy zero0", "DeepSpeed's default: ZeRO off");
  }
  read_precision(keys, context);
  read_batch(keys, caller, context);
  read_clipping(keys, caller, context);
  read_optimizer(keys, on_host, context, setup);
  read_checkpointing(keys, setup);
  read_switched(keys);
  read_rest(keys);
  keys.finish();
}

}  // namespace heddle::io
