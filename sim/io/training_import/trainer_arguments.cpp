#include "sim/io/training_import/trainer_arguments.h"

#include <fmt/format.h>

#include <sstream>

#include "sim/io/json_document.h"
#include "sim/io/option_list.h"
#include "sim/io/scenario_limits.h"
#include "sim/io/training_import/config_document.h"
#include "sim/io/training_import/config_keys.h"
#include "sim/io/training_import/deepspeed_config.h"
#include "sim/io/training_import/fsdp_section.h"
#include "sim/io/training_import/trainer_optimizer.h"
#include "sim/io/training_import/value_text.h"

namespace heddle::io {
namespace {

constexpr std::string_view kInFile = "as the file says";
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

void read_batch(ConfigKeys& keys, ImportContext& context) {
  if (const auto micro = keys.count("per_device_train_batch_size", 1, kMaxTokens)) {
    context.settings.micro_batch(*micro, *keys.take("per_device_train_batch_size"));
    keys.decide("per_device_train_batch_size", fmt::format("micro_batch {}", *micro), kInFile);
  }
  const auto steps = keys.count("gradient_accumulation_steps", 1, kMaxOptionCount);
  context.settings.accumulation(steps.value_or(1), keys.place_of("gradient_accumulation_steps"));
  keys.decide("gradient_accumulation_steps", fmt::format("accumulation {}", steps.value_or(1)),
              steps ? kInFile : kDefault);
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

/// The words of "fsdp": "full_shard auto_wrap", or a list of them.
std::vector<std::string> fsdp_words(ConfigKeys& keys) {
  const auto value = keys.take("fsdp");
  std::vector<std::string> words;
  if (!value) return words;
  if (const auto flag = loose_flag(*value)) {
    if (*flag) words.emplace_back("full_shard");
    return words;
  }
  if (value->kind() == JsonKind::kArray) {
    for (const Value& item : value->items(keys.diagnostics())) {
      words.push_back(lower_case(item.as_string(keys.diagnostics()).value_or("")));
    }
    return words;
  }
  std::istringstream text(lower_case(value->as_string(keys.diagnostics()).value_or("")));
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

void read_fsdp(ConfigKeys& keys, const std::vector<std::string>& words, ImportContext& context,
               TrainingSetup& setup) {
  const auto section = keys.section("fsdp_config");
  if (section) {
    ConfigKeys inner = *section;
    read_fsdp_section(inner, {"", true, "the default of Trainer"}, context, setup);
    inner.only("xla", {"false"}, "XLA is not modelled", "set it to false");
    inner.without_effect({"xla_fsdp_v2", "xla_fsdp_grad_ckpt", "xla_fsdp_settings"});
    inner.finish();
  } else {
    setup.strategy = "fsdp";
    setup.dialect = "fsdp1";
    setup.options.fsdp.use_orig_params = true;
    setup.decisions.push_back(
        {"fsdp_config", "absent", "use_orig_params true, no prefetch", "the defaults of Trainer"});
  }
  for (const std::string& word : words) {
    if (word == "auto_wrap") continue;
    if (word == "offload") {
      keys.refuse("fsdp", "offload of FSDP's shards is not modelled", "leave \"offload\" out");
    } else {
      set_sharding(word, keys, "fsdp", setup);
    }
  }
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

void read_strategy(ConfigKeys& keys, ImportContext& context, TrainingSetup& setup, bool clip) {
  const auto words = fsdp_words(keys);
  if (keys.take("deepspeed")) return read_deepspeed(keys, context, setup, clip);
  if (!words.empty()) return read_fsdp(keys, words, context, setup);
  setup.strategy = "ddp";
  setup.dialect = "pytorch-ddp";
  keys.decide("fsdp", "strategy ddp", "without fsdp and deepspeed Trainer takes DDP");
  if (const auto cap = keys.count("ddp_bucket_cap_mb", 1, kMaxOptionCount)) {
    setup.options.ddp.bucket_cap_mb = *cap;
    keys.decide("ddp_bucket_cap_mb", fmt::format("bucket_cap_mb {}", *cap), kInFile);
  }
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

void read_compute(ConfigKeys& keys, ImportContext& context) {
  if (const auto on = keys.flag("gradient_checkpointing")) {
    const auto mode = *on ? model::Checkpointing::kFull : model::Checkpointing::kNone;
    // FSDP's own checkpointing may have been decided already.
    if (*on) context.settings.checkpointing(mode, *keys.take("gradient_checkpointing"));
    keys.decide("gradient_checkpointing", *on ? "checkpointing \"full\"" : "nothing", kInFile);
  }
  if (keys.flag("torch_compile") == true) {
    context.settings.compiled(true, *keys.take("torch_compile"));
    keys.decide("torch_compile", "compile true", kInFile);
  }
  if (keys.flag("use_liger_kernel") == true) {
    context.settings.liger(*keys.take("use_liger_kernel"));
    keys.decide("use_liger_kernel", "fused_norm, fused_mlp, loss \"fused\"", "Liger's defaults");
  }
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

/// Data, evaluation, logging, checkpoints on disk, the hub, learning rates.
void skip_others(ConfigKeys& keys) {
  keys.without_effect({"output_dir",
                       "overwrite_output_dir",
                       "do_train",
                       "do_eval",
                       "do_predict",
                       "eval_strategy",
                       "evaluation_strategy",
                       "prediction_loss_only",
                       "per_device_eval_batch_size",
                       "per_gpu_train_batch_size",
                       "per_gpu_eval_batch_size",
                       "eval_accumulation_steps",
                       "eval_delay",
                       "learning_rate",
                       "weight_decay",
                       "adam_beta1",
                       "adam_beta2",
                       "adam_epsilon",
                       "num_train_epochs",
                       "max_steps",
                       "lr_scheduler_type",
                       "lr_scheduler_kwargs",
                       "warmup_ratio",
                       "warmup_steps",
                       "log_level",
                       "log_level_replica",
                       "log_on_each_node",
                       "logging_dir",
                       "logging_strategy",
                       "logging_first_step",
                       "logging_steps",
                       "logging_nan_inf_filter",
                       "save_strategy",
                       "save_steps",
                       "save_total_limit",
                       "save_safetensors",
                       "save_on_each_node",
                       "save_only_model",
                       "restore_callback_states_from_checkpoint",
                       "use_mps_device",
                       "seed",
                       "data_seed",
                       "jit_mode_eval",
                       "fp16_opt_level",
                       "bf16_full_eval",
                       "fp16_full_eval",
                       "local_rank",
                       "ddp_backend",
                       "tpu_num_cores",
                       "tpu_metrics_debug",
                       "debug",
                       "dataloader_drop_last",
                       "eval_steps",
                       "dataloader_num_workers",
                       "dataloader_prefetch_factor",
                       "past_index",
                       "run_name",
                       "disable_tqdm",
                       "remove_unused_columns",
                       "label_names",
                       "load_best_model_at_end",
                       "metric_for_best_model",
                       "greater_is_better",
                       "ignore_data_skip",
                       "fsdp_min_num_params",
                       "fsdp_config",
                       "fsdp_transformer_layer_cls_to_wrap",
                       "accelerator_config",
                       "optim_args",
                       "length_column_name",
                       "report_to",
                       "ddp_find_unused_parameters",
                       "ddp_bucket_cap_mb",
                       "ddp_broadcast_buffers",
                       "dataloader_pin_memory",
                       "dataloader_persistent_workers",
                       "skip_memory_metrics",
                       "use_legacy_prediction_loop",
                       "push_to_hub",
                       "resume_from_checkpoint",
                       "hub_model_id",
                       "hub_strategy",
                       "hub_token",
                       "hub_private_repo",
                       "hub_always_push",
                       "gradient_checkpointing_kwargs",
                       "include_inputs_for_metrics",
                       "include_for_metrics",
                       "eval_do_concat_batches",
                       "push_to_hub_model_id",
                       "push_to_hub_organization",
                       "push_to_hub_token",
                       "_n_gpu",
                       "full_determinism",
                       "ray_scope",
                       "ddp_timeout",
                       "torch_compile_backend",
                       "torch_compile_mode",
                       "dispatch_batches",
                       "split_batches",
                       "include_tokens_per_second",
                       "include_num_input_tokens_seen",
                       "optim_target_modules",
                       "batch_eval_metrics",
                       "eval_on_start",
                       "eval_use_gather_object",
                       "average_tokens_across_devices"});
}

}  // namespace

void read_trainer_arguments(const Value& root, ImportContext& context, TrainingSetup& setup) {
  ConfigKeys keys(root, "", setup, context.out);
  const bool clip = clips(keys, context);
  read_batch(keys, context);
  read_strategy(keys, context, setup, clip);
  read_precision(keys, context, setup);
  read_optimizer(keys, context, setup);
  read_compute(keys, context);
  read_rest(keys);
  skip_others(keys);
  keys.finish();
}

}  // namespace heddle::io
