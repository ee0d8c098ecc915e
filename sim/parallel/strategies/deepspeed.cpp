#include "sim/parallel/strategies/deepspeed.h"

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/all.h"
#include "sim/parallel/training_support.h"

namespace heddle::parallel {

using schedule::BufferId;
using schedule::MemoryCategory;

namespace {

constexpr int kNormDispatchesPerTensor = 4;  // widen, norm, move, append

class Zero final : public Strategy {
 public:
  explicit Zero(int stage) : stage_(stage) {}
  std::string refusal(const PlanInput& input) const override {
    if (input.options.deepspeed != DeepSpeedOptions{})
      return "options of DeepSpeed are not modelled";
    if (input.graph.compute.precision != model::Precision::kBFloat16) {
      return "DeepSpeed is modelled with bf16 weights only; set training.precision to \"bf16\"";
    }
    return unsupported(input.training, {}, "DeepSpeed");
  }
  schedule::Schedule plan(const PlanInput& input) const override {
    return stage_ == 3 ? plan_zero3(input) : plan_zero12(input, stage_ == 2);
  }

 private:
  int stage_;
};

}  // namespace

void emit_fp64_norm(schedule::ScheduleBuilder& b, std::int64_t elements, int tensors) {
  constexpr std::int64_t kTraffic = kLowBytes + 8 + 8;  // read bf16, write fp64, read fp64
  b.compute(memory_kernel({kTraffic * elements}, 2 * tensors), kNormDispatchesPerTensor * tensors,
            "fp64 gradient norm");
}

void emit_partition_step(schedule::ScheduleBuilder& b, std::int64_t elements,
                         const OptimizerSpec& optimizer, BufferId* own_gradients) {
  const Bytes low{kLowBytes * elements};
  const Bytes master{kMasterBytes * elements};
  BufferId flat = b.alloc(MemoryCategory::kTemporary, low, "flat gradient copy");
  b.compute(copy_kernel(low), 1, "flatten gradients");
  BufferId gradient = b.alloc(MemoryCategory::kGradients, master, "fp32 gradient");
  b.compute(memory_kernel(low + master), 1, "cast gradients");
  b.free(flat);
  if (own_gradients != nullptr) b.free(*own_gradients);
  b.compute(copy_kernel(master), 1, "unscale gradients");
  emit_optimizer_step(b, {{{elements}}, optimizer, kMasterBytes});
  b.free(gradient);
  b.compute(memory_kernel(low + master), 1, "write back weights");
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
