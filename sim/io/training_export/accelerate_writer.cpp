#include "sim/io/training_export/accelerate_writer.h"

#include <fmt/format.h>

namespace heddle::io {
namespace {

using parallel::BackwardPrefetch;
using parallel::FsdpOptions;
using parallel::FsdpSharding;

const char* sharding_name(FsdpSharding sharding) {
  switch (sharding) {
    case FsdpSharding::kFull:
      return "FULL_SHARD";
    case FsdpSharding::kGradOp:
      return "SHARD_GRAD_OP";
    case FsdpSharding::kHybrid:
      return "HYBRID_SHARD";
    case FsdpSharding::kHybridGradOp:
      return "HYBRID_SHARD_ZERO2";
    case FsdpSharding::kNone:
      return "NO_SHARD";
  }
  return "";
}

const char* prefetch_name(BackwardPrefetch prefetch) {
  if (prefetch == BackwardPrefetch::kPre) return "BACKWARD_PRE";
  return prefetch == BackwardPrefetch::kPost ? "BACKWARD_POST" : "NO_PREFETCH";
}

std::string version1(const FsdpOptions& o) {
  std::string text =
      fmt::format("  fsdp_version: 1\n  fsdp_sharding_strategy: {}\n  fsdp_backward_prefetch: {}\n",
                  sharding_name(o.sharding_strategy), prefetch_name(o.backward_prefetch));
  text += fmt::format("  fsdp_use_orig_params: {}\n", o.use_orig_params);
  if (!o.limit_all_gathers) text += "  fsdp_limit_all_gathers: false\n";
  return text;
}

std::string version2(const FsdpOptions& o) {
  return fmt::format("  fsdp_version: 2\n  fsdp_reshard_after_forward: {}\n",
                     o.sharding_strategy == FsdpSharding::kFull);
}

std::string fsdp_section(const run::Scenario& scenario, const run::StrategyChoice& choice) {
  const FsdpOptions& options = choice.options.fsdp;
  std::string text = "fsdp_config:\n";
  text += choice.dialect == "fsdp2" ? version2(options) : version1(options);
  text += "  fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP\n";
  text += fmt::format("  fsdp_forward_prefetch: {}\n", options.forward_prefetch);
  text += fmt::format("  fsdp_activation_checkpointing: {}\n",
                      scenario.compute.checkpointing == model::Checkpointing::kFull);
  return text;
}

/// What mixed_precision makes of weights: autocast under DDP, cast shards under FSDP.
bool casts(const run::Scenario& scenario, const run::StrategyChoice& choice) {
  const model::Precision meant =
      choice.strategy == "fsdp" ? model::Precision::kBFloat16 : model::Precision::kAutocast;
  return scenario.compute.precision == meant;
}

}  // namespace

bool accelerate_can_say(const FsdpOptions& options, const std::string& dialect) {
  FsdpOptions sayable;  // what is left out here stays at its default
  sayable.sharding_strategy = options.sharding_strategy;
  sayable.forward_prefetch = options.forward_prefetch;
  sayable.limit_all_gathers = options.limit_all_gathers;
  if (dialect == "fsdp1") {
    sayable.backward_prefetch = options.backward_prefetch;
    sayable.use_orig_params = options.use_orig_params;
  } else if (options.sharding_strategy != FsdpSharding::kFull &&
             options.sharding_strategy != FsdpSharding::kGradOp) {
    return false;
  }
  return options == sayable;
}

std::string accelerate_yaml(const run::Scenario& scenario, const run::StrategyChoice& choice) {
  const bool is_fsdp = choice.strategy == "fsdp";
  std::string text = fmt::format("distributed_type: {}\n", is_fsdp ? "FSDP" : "MULTI_GPU");
  text += fmt::format("mixed_precision: '{}'\n", casts(scenario, choice) ? "bf16" : "no");
  if (is_fsdp) text += fsdp_section(scenario, choice);
  return text;
}

}  // namespace heddle::io
