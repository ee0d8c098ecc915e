#include "sim/parallel/strategies/deepspeed.h"

#include <fmt/format.h>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/all.h"
#include "sim/parallel/training_support.h"

namespace heddle::parallel {

using schedule::BufferId;
using schedule::MemoryCategory;

namespace {

constexpr int kNormDispatchesPerTensor = 4;  // widen, norm, move, append

bool is_plain_adamw(const OptimizerSpec& optimizer) {
  OptimizerSpec plain;
  plain.kernel = optimizer.kernel;  // of the GPU's, which does not step
  return optimizer == plain;
}

struct StagedOption {
  std::string_view name;
  int first_stage;
  int last_stage;
  bool (*changed)(const DeepSpeedOptions& options, const DeepSpeedOptions& standard);
};

/// Which stages read an option. Where they do not, another value than the default would be ignored.
constexpr StagedOption kStagedOptions[] = {
    {"reduce_bucket_size", 1, 3,
     [](const auto& o, const auto& d) { return o.reduce_bucket_size != d.reduce_bucket_size; }},
    {"overlap_comm", 1, 2,
     [](const auto& o, const auto& d) { return o.overlap_comm != d.overlap_comm; }},
    {"round_robin_gradients", 1, 2,
     [](const auto& o, const auto& d) {
       return o.round_robin_gradients != d.round_robin_gradients;
     }},
    {"prefetch_bucket_size", 3, 3,
     [](const auto& o, const auto& d) { return o.prefetch_bucket_size != d.prefetch_bucket_size; }},
    {"param_persistence_threshold", 3, 3,
     [](const auto& o, const auto& d) {
       return o.param_persistence_threshold != d.param_persistence_threshold;
     }},
    {"max_live_parameters", 3, 3,
     [](const auto& o, const auto& d) { return o.max_live_parameters != d.max_live_parameters; }},
    {"max_reuse_distance", 3, 3,
     [](const auto& o, const auto& d) { return o.max_reuse_distance != d.max_reuse_distance; }},
    {"sub_group_size", 3, 3,
     [](const auto& o, const auto& d) { return o.sub_group_size != d.sub_group_size; }},
};

class Zero final : public Strategy {
 public:
  explicit Zero(int stage) : stage_(stage) {}
  std::string refusal(const PlanInput& input) const override {
    const model::Precision precision = input.graph.compute.precision;
    if (precision != model::Precision::kBFloat16 && precision != model::Precision::kFloat16) {
      return "DeepSpeed is modelled with 16-bit weights only; set training.precision to \"bf16\" "
             "or "
             "\"fp16\"";
    }
    if (input.training.offload.optimizer && !is_plain_adamw(input.training.optimizer)) {
      return "DeepSpeed steps offloaded states with its own AdamW on the CPU, nothing else";
    }
    const std::string out_of_stage = option_problem(input.options.deepspeed);
    if (!out_of_stage.empty()) return out_of_stage;
    TrainingSpec training = input.training;
    training.zero_to_none = true;  // DeepSpeed drops gradients whatever the script says
    return unsupported(training,
                       {.every_optimizer = true,
                        .accumulation = true,
                        .offload_optimizer = stage_ > 0,
                        .offload_parameters = stage_ == 3},
                       fmt::format("DeepSpeed stage {}", stage_));
  }
  std::string caveat(const PlanInput& input) const override {
    const OffloadSpec& offload = input.training.offload;
    if (!offload.optimizer && !offload.parameters) return "";
    return "memory only: what the host and PCIe take for offload is not modelled, step times are "
           "lower bounds";
  }
  schedule::Schedule plan(const PlanInput& input) const override {
    const bool half = input.graph.compute.precision == model::Precision::kFloat16;
    if (stage_ == 0) return half ? plan_zero0_fp16(input) : plan_zero0(input);
    return stage_ == 3 ? plan_zero3(input) : plan_zero12(input, stage_ == 2);
  }

 private:
  /// An option that this stage would ignore.
  std::string option_problem(const DeepSpeedOptions& options) const {
    for (const StagedOption& option : kStagedOptions) {
      if (option.first_stage <= stage_ && stage_ <= option.last_stage) continue;
      if (!option.changed(options, DeepSpeedOptions{})) continue;
      return fmt::format("{} has no effect in stage {}", option.name, stage_);
    }
    return "";
  }

  int stage_;
};

}  // namespace

void emit_fp64_norm(schedule::ScheduleBuilder& b, std::int64_t elements, int tensors) {
  constexpr std::int64_t kTraffic = kLowBytes + 8 + 8;  // read bf16, write fp64, read fp64
  b.compute(memory_kernel({kTraffic * elements}, 2 * tensors), kNormDispatchesPerTensor * tensors,
            "fp64 gradient norm");
}

void emit_overflow_check(schedule::ScheduleBuilder& b, const OverflowCheck& check) {
  // x.float(); isnan and isinf of it, or-ed; the largest of those as floats: 8 kernels.
  constexpr int kKernels = 8;
  constexpr std::int64_t kTraffic = 36;
  constexpr std::int64_t kHeld = 10;
  BufferId wide = b.alloc(MemoryCategory::kTemporary, {kHeld * check.largest}, "overflow check");
  b.compute(memory_kernel({kTraffic * check.elements}, kKernels * check.tensors),
            kKernels * check.tensors, "overflow check");
  b.free(wide);
}

void emit_partition_step(schedule::ScheduleBuilder& b, const PartitionStep& step,
                         std::vector<BufferId>& own_gradients) {
  const Bytes low{kLowBytes * step.elements};
  const Bytes master{kMasterBytes * step.elements};
  const OptimizerWork work{{{step.elements}}, step.optimizer, kMasterBytes};
  BufferId flat = b.alloc(MemoryCategory::kTemporary, low, "flat gradient copy");
  b.compute(copy_kernel(low), 1, "flatten gradients");
  BufferId gradient = b.alloc(MemoryCategory::kGradients, master, "fp32 gradient");
  b.compute(memory_kernel(low + master), 1, "cast gradients");
  b.free(flat);
  for (BufferId& own : own_gradients) b.free(own);
  own_gradients.clear();
  b.compute(copy_kernel(master), 1, "unscale gradients");
  if (step.makes_states) allocate_optimizer_states(b, work);
  emit_optimizer_step(b, work);
  b.free(gradient);
  b.compute(memory_kernel(low + master), 1, "write back weights");
}

void emit_host_step(schedule::ScheduleBuilder& b, std::int64_t elements) {
  const Bytes master{kMasterBytes * elements};
  b.host_wait(b.record(schedule::StreamKind::kCompute));
  b.host_work(1, "optimizer on the host");
  BufferId weights = b.alloc(MemoryCategory::kTemporary, master, "fp32 weights from the host");
  b.compute(memory_kernel({(kLowBytes + kMasterBytes) * elements}), 2, "write back weights");
  b.free(weights);
}

std::unique_ptr<Strategy> make_zero0(std::string_view) {
  return std::make_unique<Zero>(0);
}
std::unique_ptr<Strategy> make_zero1(std::string_view) {
  return std::make_unique<Zero>(1);
}
std::unique_ptr<Strategy> make_zero2(std::string_view) {
  return std::make_unique<Zero>(2);
}
std::unique_ptr<Strategy> make_zero3(std::string_view) {
  return std::make_unique<Zero>(3);
}

}  // namespace heddle::parallel
