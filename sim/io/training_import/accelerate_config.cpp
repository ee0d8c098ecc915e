#include "sim/io/training_import/accelerate_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/io/json_document.h"
#include "sim/io/option_list.h"
#include "sim/io/training_import/config_document.h"
#include "sim/io/training_import/config_keys.h"
#include "sim/io/training_import/deepspeed_config.h"
#include "sim/io/training_import/deepspeed_zero.h"
#include "sim/io/training_import/fsdp_section.h"

namespace heddle::io {
namespace {

/// Processes and machines; sections of another distributed_type.
constexpr std::array<std::string_view, 20> kWithoutEffect{"compute_environment",
                                                          "debug",
                                                          "downcast_bf16",
                                                          "enable_cpu_affinity",
                                                          "gpu_ids",
                                                          "machine_rank",
                                                          "main_process_ip",
                                                          "main_process_port",
                                                          "main_training_function",
                                                          "num_machines",
                                                          "num_processes",
                                                          "rdzv_backend",
                                                          "same_network",
                                                          "tpu_env",
                                                          "tpu_use_cluster",
                                                          "tpu_use_sudo",
                                                          "command_file",
                                                          "commands",
                                                          "fsdp_config",
                                                          "deepspeed_config"};

/// The JSON file decides; everything else in the section has to be left out, as Accelerate demands.
void read_deepspeed_file(ConfigKeys& section, ImportContext& context, TrainingSetup& setup) {
  const auto name = section.take("deepspeed_config_file");
  const auto text = name->as_string(context.out);
  if (!text) return;
  const auto document = read_config_file(*text, *name, context);
  if (document) read_deepspeed_config(document->root(), {}, context, setup);
}

void read_clipping(ConfigKeys& section, ImportContext& context) {
  constexpr std::string_view kKey = "gradient_clipping";
  if (section.is_auto(kKey)) {
    section.decide(kKey, "gradient_clipping of the scenario", "\"auto\": the script decides");
  } else if (const auto norm = section.number(kKey)) {
    context.settings.clipping(*norm > 0, section.place_of(kKey));
    section.decide(kKey, fmt::format("gradient_clipping {}", *norm > 0), kInFile);
  }
}

/// Without a JSON file Accelerate passes on a stage, devices and little more, so that DeepSpeed's
/// own defaults apply to the rest (DeepSpeedPlugin).
void read_deepspeed_plugin(ConfigKeys& section, ImportContext& context, TrainingSetup& setup) {
  const auto stage = section.count("zero_stage", 0, 3);
  setup.strategy = fmt::format("zero{}", stage.value_or(2));
  setup.dialect = "deepspeed";
  section.decide("zero_stage", "strategy " + setup.strategy,
                 stage ? kInFile : "Accelerate's default: 2");
  setup.decisions.push_back({"bucket sizes", "absent", "DeepSpeed 0.15.4's defaults",
                             "Accelerate sets none without a deepspeed_config_file"});
  const bool has_states = stage.value_or(2) > 0;
  const bool optimizer = is_host(section.word("offload_optimizer_device").value_or("none"), section,
                                 "offload_optimizer_device") &&
                         has_states;
  const bool parameters = is_host(section.word("offload_param_device").value_or("none"), section,
                                  "offload_param_device") &&
                          stage == 3;
  context.settings.offload_optimizer(optimizer, section.object());
  context.settings.offload_parameters(parameters, section.object());
  section.decide("offload_optimizer_device", fmt::format("offload.optimizer {}", optimizer),
                 kInFile);
  section.decide("offload_param_device", fmt::format("offload.parameters {}", parameters), kInFile);
  const auto steps = section.count("gradient_accumulation_steps", 1, kMaxOptionCount);
  context.settings.accumulation(steps.value_or(1), section.place_of("gradient_accumulation_steps"));
  section.decide("gradient_accumulation_steps", fmt::format("accumulation {}", steps.value_or(1)),
                 steps ? kInFile : "Accelerate's default");
  read_clipping(section, context);
}

void read_deepspeed(ConfigKeys& keys, ImportContext& context, TrainingSetup& setup) {
  auto section = keys.section("deepspeed_config");
  if (!section) {
    keys.refuse("deepspeed_config", "is missing",
                "add the section that `accelerate config` writes");
    return;
  }
  section->without_effect({"zero3_init_flag", "zero3_save_16bit_model",
                           "deepspeed_multinode_launcher", "deepspeed_hostfile",
                           "deepspeed_exclusion_filter", "deepspeed_inclusion_filter",
                           "deepspeed_moe_layer_cls_names"});
  if (section->take("deepspeed_config_file")) {
    read_deepspeed_file(*section, context, setup);
  } else {
    read_deepspeed_plugin(*section, context, setup);
    section->without_effect({"offload_optimizer_nvme_path", "offload_param_nvme_path"});
  }
  section->finish();
}

/// The script decides on the micro-batches, so that the scenario says how many there are.
void read_fsdp_accumulation(ConfigKeys& keys, ImportContext& context) {
  constexpr std::string_view kKey = "gradient_accumulation_steps";
  const auto steps = keys.count(kKey, 1, kMaxOptionCount);
  const std::int64_t scenario = context.settings.scenario().training.accumulation;
  if (std::max(steps.value_or(1), scenario) > 1) {
    refuse_no_sync(keys, kKey,
                   "accumulate over 1 micro-batch; if the script sets sync_each_batch, give the "
                   "strategy in the scenario instead of \"from\"");
    return;
  }
  context.settings.accumulation(1, keys.place_of(kKey));
  keys.decide(kKey, "accumulation 1", steps ? kInFile : "more is not modelled under no_sync");
}

void read_fsdp(ConfigKeys& keys, ImportContext& context, TrainingSetup& setup) {
  auto section = keys.section("fsdp_config");
  if (!section) {
    keys.refuse("fsdp_config", "is missing", "add the section that `accelerate config` writes");
    return;
  }
  const bool checkpoints =
      read_fsdp_section(*section, {"fsdp_", true, "the default of accelerate launch"}, setup);
  using model::Checkpointing;
  context.settings.checkpointing(checkpoints ? Checkpointing::kFull : Checkpointing::kNone,
                                 section->object(),
                                 checkpoints ? Origin::kStated : Origin::kDefault);
  section->finish();
  read_fsdp_accumulation(keys, context);
}

void read_kind(ConfigKeys& keys, ImportContext& context, TrainingSetup& setup) {
  const std::string kind = keys.word("distributed_type").value_or("no");
  if (kind == "deepspeed") return read_deepspeed(keys, context, setup);
  if (kind == "fsdp") return read_fsdp(keys, context, setup);
  if (kind == "no" || kind == "false") {
    setup.strategy = "single";
    setup.dialect = "pytorch";
    keys.decide("distributed_type", "strategy single", "one process, nothing wrapped");
    return;
  }
  if (kind == "multi_gpu") {
    setup.strategy = "ddp";
    setup.dialect = "pytorch-ddp";
    keys.decide("distributed_type", "strategy ddp", "DistributedDataParallel, its defaults");
    return;
  }
  keys.refuse("distributed_type", fmt::format("\"{:.40}\" is not modelled", kind),
              "use NO, MULTI_GPU, FSDP or DEEPSPEED");
}

/// "no" says nothing about the type the script loads its weights in.
void read_precision(ConfigKeys& keys, ImportContext& context, const TrainingSetup& setup) {
  constexpr std::string_view kKey = "mixed_precision";
  const std::string text = keys.word(kKey).value_or("no");
  const auto at = keys.take(kKey).value_or(keys.object());
  if (text == "no" || text == "false") {
    keys.decide(kKey, "precision of the scenario", "without mixed precision the script decides");
  } else if (text != "bf16") {
    keys.refuse(kKey, fmt::format("\"{:.40}\" is not modelled", text), "use bf16 or no");
  } else if (setup.strategy == "ddp" || setup.strategy == "single") {
    context.settings.precision(model::Precision::kAutocast, at);
    keys.decide(kKey, "precision \"autocast\"", "fp32 weights, bf16 products");
  } else {
    context.settings.precision(model::Precision::kBFloat16, at);
    keys.decide(kKey, "precision \"bf16\"", "weights reach the layers in bf16");
  }
}

}  // namespace

void read_accelerate_config(const Value& root, ImportContext& context, TrainingSetup& setup) {
  ConfigKeys keys(root, "", setup, context.out);
  read_kind(keys, context, setup);
  read_precision(keys, context, setup);
  keys.rest_without_effect(kWithoutEffect);
  keys.only("use_cpu", {"false"}, "training on the CPU is not modelled", "set it to false");
  keys.only("dynamo_config", {}, "torch.compile through Accelerate is not read",
            "take the section out and set training.compile in the scenario");
  keys.only("megatron_lm_config", {}, "Megatron through Accelerate is not modelled",
            "take the section out");
  keys.finish();
}

}  // namespace heddle::io
