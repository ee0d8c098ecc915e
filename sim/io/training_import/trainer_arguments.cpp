#include "sim/io/training_import/trainer_arguments.h"

#include <fmt/format.h>

#include "sim/io/json_document.h"
#include "sim/io/option_list.h"
#include "sim/io/scenario_limits.h"
#include "sim/io/training_import/config_document.h"
#include "sim/io/training_import/config_keys.h"
#include "sim/io/training_import/deepspeed_config.h"
#include "sim/io/training_import/trainer_accelerator.h"
#include "sim/io/training_import/trainer_compute.h"
#include "sim/io/training_import/trainer_fsdp.h"
#include "sim/io/training_import/trainer_ignored.h"
#include "sim/io/training_import/trainer_optimizer.h"
#include "sim/io/training_import/value_text.h"

namespace heddle::io {
namespace {

constexpr std::string_view kDefault = "the default of transformers 4.46";

bool clips(ConfigKeys& keys, ImportContext& context) {
  const auto value = keys.take("max_grad_norm");
  const auto norm = value ? loose_number(*value) : 1.0;
  if (!norm) value->error("wrong-type", "must be a number", "", keys.diagnostics());
  const bool on = norm.value_or(0) > 0;
  context.settings.clipping(on, value.value_or(keys.object()));
  keys.decide("max_grad_norm", fmt::format("gradient_clipping {}", on),
              value ? kInFile : "the default of transformers 4.46: 1.0");
  return on;
}

/// An old name goes before the new one (TrainingArguments.train_batch_size).
void read_micro_batch(ConfigKeys& keys, ImportContext& context) {
  const bool is_old = keys.take("per_gpu_train_batch_size").has_value();
  const std::string_view key = is_old ? "per_gpu_train_batch_size" : "per_device_train_batch_size";
  if (is_old && keys.take("per_device_train_batch_size")) {
    keys.decide("per_device_train_batch_size", "nothing",
                "per_gpu_train_batch_size goes before it");
  }
  if (const auto micro = keys.count(key, 1, kMaxTokens)) {
    context.settings.micro_batch(*micro, keys.place_of(key));
    keys.decide(key, fmt::format("micro_batch {}", *micro), kInFile);
  }
}

/// Returns the accumulation.
std::int64_t read_batch(ConfigKeys& keys, ImportContext& context) {
  read_micro_batch(keys, context);
  const auto steps = keys.count("gradient_accumulation_steps", 1, kMaxOptionCount);
  context.settings.accumulation(steps.value_or(1), keys.place_of("gradient_accumulation_steps"));
  keys.decide("gradient_accumulation_steps", fmt::format("accumulation {}", steps.value_or(1)),
              steps ? kInFile : kDefault);
  return steps.value_or(1);
}

/// DeepSpeed holds bf16 weights, FSDP gathers them in bf16; DDP runs under autocast.
void read_precision(ConfigKeys& keys, ImportContext& context, const TrainingSetup& setup) {
  keys.only("fp16", {"false"}, "fp16 with loss scaling is not modelled", "use bf16");
  const auto bf16 = keys.flag("bf16");
  if (bf16 != true) {
    keys.decide("bf16", "precision of the scenario", "without it the script's weights decide");
    return;
  }
  const bool is_ddp = setup.strategy == "ddp";
  const auto precision = is_ddp ? model::Precision::kAutocast : model::Precision::kBFloat16;
  context.settings.precision(precision, *keys.take("bf16"));
  keys.decide("bf16", fmt::format("precision \"{}\"", precisions().name_of(precision)),
              is_ddp ? "fp32 weights, bf16 products" : "weights reach the layers in bf16");
}

void read_deepspeed(ConfigKeys& keys, ImportContext& context, TrainingSetup& setup, bool clip) {
  const auto value = keys.take("deepspeed");
  const DeepSpeedCaller caller{clip, true};
  setup.decisions.push_back(
      {"deepspeed", value_text(*value), "what follows", "Trainer hands over"});
  if (value->kind() == JsonKind::kObject) {
    return read_deepspeed_config(*value, caller, context, setup);
  }
  const auto name = value->as_string(context.out);
  if (!name) return;
  const auto document = read_config_file(*name, *value, context);
  if (document) read_deepspeed_config(document->root(), caller, context, setup);
}

/// Returns whether FSDP checkpoints each layer.
bool read_strategy(ConfigKeys& keys, ImportContext& context, TrainingSetup& setup, bool clip) {
  const auto words = trainer_fsdp_words(keys);
  if (keys.take("deepspeed")) {
    read_deepspeed(keys, context, setup, clip);
    return false;
  }
  if (!words.empty()) return read_trainer_fsdp(keys, words, setup);
  setup.strategy = "ddp";
  setup.dialect = "pytorch-ddp";
  keys.decide("fsdp", "strategy ddp", "without fsdp and deepspeed Trainer takes DDP");
  if (const auto cap = keys.count("ddp_bucket_cap_mb", 1, kMaxOptionCount)) {
    setup.options.ddp.bucket_cap_mb = *cap;
    keys.decide("ddp_bucket_cap_mb", fmt::format("bucket_cap_mb {}", *cap), kInFile);
  }
  return false;
}

/// DDP looks for parameters without a gradient in every step unless the model is checkpointed
/// (Trainer._wrap_model).
void read_unused_parameters(ConfigKeys& keys, const ImportContext& context) {
  constexpr std::string_view kKey = "ddp_find_unused_parameters";
  const auto given = keys.flag(kKey);
  const bool checkpoints =
      context.settings.scenario().compute.checkpointing != model::Checkpointing::kNone;
  if (given.value_or(!checkpoints)) {
    keys.refuse(kKey, "the search for unused parameters, on unless set otherwise, is not modelled",
                "set it to false");
    return;
  }
  keys.decide(kKey, "no search", given ? kInFile : "off where gradient checkpointing is on");
}

/// Whether the deepspeed file has an optimizer of its own, which then steps.
bool deepspeed_steps(const TrainingSetup& setup) {
  for (const run::ConfigDecision& decision : setup.decisions) {
    if (decision.key == "optimizer") return true;
  }
  return false;
}

void read_optimizer(ConfigKeys& keys, ImportContext& context, const TrainingSetup& setup) {
  std::string name = keys.word("optim").value_or("adamw_torch");
  if (keys.flag("adafactor") == true) name = "adafactor";
  if (deepspeed_steps(setup)) {
    keys.decide("optim", "nothing", "the optimizer of the DeepSpeed file steps");
    return;
  }
  const TrainerOptimizer* optimizer = find_trainer_optimizer(name);
  if (optimizer == nullptr) {
    keys.refuse("optim", fmt::format("optimizer \"{:.40}\" is not modelled", name),
                "use adamw_torch, adamw_torch_fused, adafactor, sgd or adamw_8bit");
    return;
  }
  context.settings.optimizer(optimizer->kind, optimizer->kernel,
                             keys.take("optim").value_or(keys.object()));
  keys.decide(
      "optim",
      fmt::format("optimizer \"{}\", kernel \"{}\"", optimizer_types().name_of(optimizer->kind),
                  optimizer_kernels().name_of(optimizer->kernel)),
      optimizer->why);
}

void read_rest(ConfigKeys& keys) {
  constexpr std::string_view kTakeOut = "take the key out";
  keys.only("half_precision_backend", {"auto", "cuda_amp"}, "is not modelled", kTakeOut);
  keys.only("fp16_backend", {"auto", "cuda_amp"}, "is not modelled", kTakeOut);
  keys.only("neftune_noise_alpha", {}, "noise on embeddings is not modelled", kTakeOut);
  keys.only("mp_parameters", {""}, "SageMaker's model parallelism is not modelled", kTakeOut);
  keys.only("torch_empty_cache_steps", {}, "emptying the cache in between is not modelled",
            kTakeOut);
  keys.only("auto_find_batch_size", {"false"}, "the batch size must be known", "set it to false");
  keys.only("use_cpu", {"false"}, "training on the CPU is not modelled", "set it to false");
  keys.only("no_cuda", {"false"}, "training on the CPU is not modelled", "set it to false");
  keys.only("use_ipex", {"false"}, "is not modelled", "set it to false");
  keys.only("torchdynamo", {}, "is not modelled", "use torch_compile");
  keys.only("group_by_length", {"false"}, "one sequence length is modelled", "set it to false");
  keys.only("label_smoothing_factor", {"0", "0.0"}, "is not modelled", "set it to 0");
  keys.only("tf32", {"false"}, "TF32 products are not modelled", kTakeOut);
}

}  // namespace

void read_trainer_arguments(const Value& root, ImportContext& context, TrainingSetup& setup) {
  ConfigKeys keys(root, "", setup, context.out);
  const bool clip = clips(keys, context);
  const std::int64_t accumulation = read_batch(keys, context);
  const bool fsdp_checkpoints = read_strategy(keys, context, setup, clip);
  read_trainer_accelerator(keys, accumulation, setup);
  read_precision(keys, context, setup);
  read_optimizer(keys, context, setup);
  read_trainer_compute(keys, fsdp_checkpoints, context);
  if (setup.strategy == "ddp") read_unused_parameters(keys, context);
  read_rest(keys);
  keys.rest_without_effect(trainer_ignored());
  keys.finish();
}

}  // namespace heddle::io
