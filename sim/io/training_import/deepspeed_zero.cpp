#include "sim/io/training_import/deepspeed_zero.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "sim/io/option_list.h"

namespace heddle::io {
namespace {

using parallel::DeepSpeedOptions;

constexpr std::string_view kDefault = "DeepSpeed 0.15.4's default";

/// A size in elements: where it acts and what transformers puts in for "auto".
struct Size {
  std::string_view key;
  std::string_view option;  // as in scenarios
  std::int64_t DeepSpeedOptions::*member;
  int first_stage;
  int last_stage;
  std::int64_t low;
  std::int64_t (*automatic)(std::int64_t hidden);  // nullptr: nobody resolves "auto"
  std::string_view rule;
};

constexpr std::array<Size, 7> kSizes{{
    {"reduce_bucket_size", "reduce_bucket_size", &DeepSpeedOptions::reduce_bucket_size, 1, 3, 1,
     [](std::int64_t h) { return h * h; }, "\"auto\": hidden size squared"},
    {"allgather_bucket_size", "allgather_bucket_size", &DeepSpeedOptions::allgather_bucket_size, 1,
     2, 1, nullptr, ""},
    {"stage3_prefetch_bucket_size", "prefetch_bucket_size", &DeepSpeedOptions::prefetch_bucket_size,
     3, 3, 1, [](std::int64_t h) { return 9 * h * h / 10; },
     "\"auto\": 0.9 times hidden size squared"},
    {"stage3_param_persistence_threshold", "param_persistence_threshold",
     &DeepSpeedOptions::param_persistence_threshold, 3, 3, 0, [](std::int64_t h) { return 10 * h; },
     "\"auto\": 10 times hidden size"},
    {"stage3_max_live_parameters", "max_live_parameters", &DeepSpeedOptions::max_live_parameters, 3,
     3, 1, nullptr, ""},
    {"stage3_max_reuse_distance", "max_reuse_distance", &DeepSpeedOptions::max_reuse_distance, 3, 3,
     0, nullptr, ""},
    {"sub_group_size", "sub_group_size", &DeepSpeedOptions::sub_group_size, 3, 3, 1, nullptr, ""},
}};

constexpr std::int64_t kLargestHidden = std::int64_t{1} << 20;

void read_auto_size(ConfigKeys& zero, const Size& size, const ImportContext& context,
                    DeepSpeedOptions& options) {
  if (size.automatic == nullptr) {
    zero.refuse(size.key, "nothing resolves \"auto\" here", "give a number of elements");
  } else if (!context.hidden || *context.hidden > kLargestHidden) {
    zero.refuse(size.key, "\"auto\" needs the model's hidden size", "give a number of elements");
  } else {
    options.*size.member = size.automatic(*context.hidden);
    zero.decide(size.key, fmt::format("{} {}", size.option, options.*size.member), size.rule);
  }
}

void read_size(ConfigKeys& zero, const Size& size, int stage, const ImportContext& context,
               DeepSpeedOptions& options) {
  if (stage < size.first_stage || stage > size.last_stage) return zero.without_effect({size.key});
  if (zero.is_auto(size.key)) return read_auto_size(zero, size, context, options);
  const bool is_there = zero.take(size.key).has_value();
  if (const auto count = zero.count(size.key, size.low, kMaxOptionElements)) {
    options.*size.member = *count;
  }
  zero.decide(size.key, fmt::format("{} {}", size.option, options.*size.member),
              is_there ? kInFile : kDefault);
}

void read_flag(ConfigKeys& zero, std::string_view key, bool DeepSpeedOptions::*member,
               DeepSpeedOptions& options) {
  const auto flag = zero.flag(key);
  options.*member = flag.value_or(options.*member);
  zero.decide(key, fmt::format("{} {}", key, options.*member), flag ? kInFile : kDefault);
}

void read_overlap(ConfigKeys& zero, int stage, DeepSpeedOptions& options) {
  if (stage < 3) return read_flag(zero, "overlap_comm", &DeepSpeedOptions::overlap_comm, options);
  const auto overlap = zero.flag("overlap_comm");
  if (overlap == false) {
    zero.refuse("overlap_comm", "stage 3 is modelled with overlap only", "set it to true");
    return;
  }
  zero.decide("overlap_comm", "overlapped", overlap ? kInFile : "the default of stage 3");
}

bool read_device(ConfigKeys& zero, std::string_view section) {
  auto keys = zero.section(section);
  if (!keys) return false;
  const bool on_host = is_host(keys->word("device").value_or("none"), *keys, "device");
  keys->without_effect({"nvme_path", "pin_memory", "buffer_count", "buffer_size", "max_in_cpu",
                        "fast_init", "pipeline", "pipeline_read", "pipeline_write"});
  keys->only("ratio", {"1", "1.0"}, "a part of the optimizer on the host is not modelled",
             "set it to 1.0");
  keys->finish();
  return on_host;
}

/// Returns whether the optimizer is on the host.
bool read_offload(ConfigKeys& zero, int stage, ImportContext& context) {
  bool optimizer = read_device(zero, "offload_optimizer");
  bool parameters = read_device(zero, "offload_param");
  optimizer = zero.flag("cpu_offload").value_or(false) || optimizer;
  parameters = zero.flag("cpu_offload_params").value_or(false) || parameters;
  zero.without_effect({"cpu_offload_use_pin_memory"});
  optimizer = optimizer && stage > 0;
  parameters = parameters && stage == 3;
  context.settings.offload_optimizer(optimizer, zero.object());
  context.settings.offload_parameters(parameters, zero.object());
  if (optimizer) zero.decide("offload_optimizer", "offload.optimizer true", kInFile);
  if (parameters) zero.decide("offload_param", "offload.parameters true", kInFile);
  return optimizer;
}

/// What the planners take for granted, and what only other features use.
void read_rest(ConfigKeys& zero) {
  zero.without_effect({"load_from_fp32_weights", "elastic_checkpoint", "ignore_unused_parameters",
                       "pipeline_loading_checkpoint", "override_module_apply",
                       "stage3_gather_16bit_weights_on_model_save",
                       "stage3_gather_fp16_weights_on_model_save"});
  constexpr std::string_view kTakeOut = "take the key out";
  zero.only("reduce_scatter", {"true"}, "is modelled true only", "set it to true");
  zero.only("allgather_partitions", {"true"}, "is modelled true only", "set it to true");
  zero.only("use_multi_rank_bucket_allreduce", {"true"}, "is modelled true only", "set it to true");
  zero.only("memory_efficient_linear", {"true"}, "is modelled true only", "set it to true");
  zero.only("legacy_stage1", {"false"}, "the old stage 1 is not modelled", kTakeOut);
  zero.only("stage3_use_all_reduce_for_fetch_params", {"false"}, "is not modelled", kTakeOut);
  zero.only("stage3_module_granularity_threshold", {"0"}, "is not modelled", kTakeOut);
  zero.only("zero_hpz_partition_size", {"1"}, "a second partition (ZeRO++) is not modelled",
            "set it to 1");
  zero.only("mics_shard_size", {"-1"}, "MiCS is not modelled", kTakeOut);
  zero.only("mics_hierarchical_params_gather", {"false"}, "MiCS is not modelled", kTakeOut);
  for (const std::string_view key : {"zero_quantized_weights", "zero_quantized_gradients",
                                     "zero_quantized_nontrainable_weights"}) {
    zero.only(key, {"false"}, "quantized communication (ZeRO++) is not modelled",
              "set it to false");
  }
  zero.only("stage3_model_persistence_threshold", {"9223372036854775807"},
            "a limit on persistent weights is not modelled", kTakeOut);
}

}  // namespace

bool is_host(const std::string& device, ConfigKeys& keys, std::string_view key) {
  if (device == "none") return false;
  if (device != "cpu") {
    keys.refuse(key, fmt::format("offload to \"{:.40}\" is not modelled", device),
                "use \"cpu\" or \"none\"");
  }
  return true;
}

bool read_deepspeed_zero(ConfigKeys& zero, ImportContext& context, TrainingSetup& setup) {
  const bool is_there = zero.take("stage").has_value();
  const int stage = static_cast<int>(zero.count("stage", 0, 3).value_or(0));
  setup.strategy = fmt::format("zero{}", stage);
  setup.dialect = "deepspeed";
  zero.decide("stage", fmt::format("strategy zero{}", stage), is_there ? kInFile : kDefault);
  DeepSpeedOptions& options = setup.options.deepspeed;
  for (const Size& size : kSizes) read_size(zero, size, stage, context, options);
  const bool on_host = read_offload(zero, stage, context);
  if (stage == 0) {
    zero.without_effect({"overlap_comm", "contiguous_gradients", "round_robin_gradients"});
  } else {
    read_overlap(zero, stage, options);
    read_flag(zero, "contiguous_gradients", &DeepSpeedOptions::contiguous_gradients, options);
    if (stage == 3) {
      zero.without_effect({"round_robin_gradients"});
    } else {
      read_flag(zero, "round_robin_gradients", &DeepSpeedOptions::round_robin_gradients, options);
    }
  }
  read_rest(zero);
  zero.finish();
  return on_host;
}

}  // namespace heddle::io
