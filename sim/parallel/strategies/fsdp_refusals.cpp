// What FSDP does not model, or torch itself refuses (torch 2.5: torch/distributed/fsdp; 2.8:
// torch/distributed/fsdp/_fully_shard).

#include "sim/parallel/strategies/fsdp.h"
#include "sim/parallel/strategies/fsdp_groups.h"
#include "sim/parallel/training_support.h"

namespace heddle::parallel {
namespace {

std::string types_problem(const FsdpOptions& options, model::Precision precision) {
  for (const CastType type : {options.param_dtype, options.reduce_dtype, options.master_dtype}) {
    if (type == CastType::kFloat16) return "fp16 is not modelled; use bf16 or fp32";
  }
  const FsdpTypes types = fsdp_types(options, precision);
  if (types.master < types.gather) return "bf16 shards are gathered in bf16: set param_dtype bf16";
  if (precision == model::Precision::kBFloat16 && types.gather == 4) {
    return "training.precision \"bf16\" computes in bf16; fp32 weights go with \"autocast\"";
  }
  if (precision == model::Precision::kFloat32 && types.gather == 2) {
    return "bf16 weights make the computation bf16: set training.precision to \"bf16\"";
  }
  return "";
}

std::string common_problem(const PlanInput& input) {
  const FsdpOptions& options = input.options.fsdp;
  const std::string problem = hybrid_problem(input);
  if (!problem.empty()) return problem;
  const std::string masterless = without_masters(input.graph.compute.precision);
  if (!masterless.empty()) return masterless;
  if (input.graph.compute.precision == model::Precision::kAutocastFloat16) {
    return "FSDP's sharded gradient scaler is not modelled; set training.precision to \"autocast\"";
  }
  return types_problem(options, input.graph.compute.precision);
}

/// torch: "Must flatten tensors with uniform `requires_grad` when `use_orig_params=False`".
std::string uniformity_problem(const PlanInput& input) {
  if (input.options.fsdp.use_orig_params) return "";
  for (const FsdpUnit& unit : fsdp_units(input.graph, FsdpWrap::kLayersAndRoot)) {
    if (unit.trained == 0 || unit.trained == unit.numel) continue;
    return "frozen and trained tensors share a flat parameter; FSDP 1 asks for use_orig_params";
  }
  return "";
}

/// Switches of version 1 that version 2 does not have.
std::string version1_only(const FsdpOptions& options) {
  if (options.sharding_strategy == FsdpSharding::kNone) return "FSDP 2 has no NO_SHARD; take ddp";
  if (!options.limit_all_gathers) return "FSDP 2 has no limit_all_gathers: it never runs ahead";
  if (options.backward_prefetch != BackwardPrefetch::kAuto &&
      options.backward_prefetch != BackwardPrefetch::kPre) {
    return "FSDP 2 always prefetches before a unit's backward: backward_prefetch is backward_pre";
  }
  return options.use_orig_params ? "use_orig_params belongs to FSDP 1; FSDP 2 has no other" : "";
}

/// Optimizers whose rules need whole tensors.
std::string dtensor_problem(OptimizerKind kind) {
  switch (kind) {
    case OptimizerKind::kAdafactor:
      return "adafactor's sums over rows and columns of a sharded matrix are not modelled";
    case OptimizerKind::kAdamW8bit:
    case OptimizerKind::kPagedAdamW8bit:
      return "bitsandbytes does not step FSDP 2's sharded tensors";
    case OptimizerKind::kAdamW:
    case OptimizerKind::kSgd:
    case OptimizerKind::kMomentum:
      return "";
  }
  return "";
}

std::string first_of(std::initializer_list<std::string> problems) {
  for (const std::string& problem : problems) {
    if (!problem.empty()) return problem;
  }
  return "";
}

}  // namespace

std::string fsdp1_refusal(const PlanInput& input) {
  if (input.options.fsdp.wrap != FsdpWrapping::kAuto) {
    return "wrap belongs to FSDP 2; version 1 keeps the rest of the model in its root";
  }
  const TrainingSupport support{
      .every_optimizer = true, .accumulation = true, .keeps_gradients = true};
  return first_of({common_problem(input), uniformity_problem(input),
                   unsupported(input.training, support, "FSDP 1")});
}

std::string fsdp2_refusal(const PlanInput& input) {
  if (input.options.fsdp.wrap == FsdpWrapping::kEnds && input.graph.spec.tied_embeddings) {
    return "embedding and head share their table, so they cannot be units of their own: wrap root";
  }
  const TrainingSupport support{
      .every_optimizer = true, .in_backward = true, .accumulation = true, .keeps_gradients = true};
  return first_of({common_problem(input), version1_only(input.options.fsdp),
                   dtensor_problem(input.training.optimizer.kind),
                   unsupported(input.training, support, "FSDP 2")});
}

}  // namespace heddle::parallel
