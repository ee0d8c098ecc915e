// DeepSpeed with bf16 and ZeRO off (deepspeed/runtime/bf16_optimizer.py, 0.15.4). Its optimizer
// shards master weights and moments over the ranks although no stage is set.
//
// resident  flat bf16 weights 2P, bf16 gradients 2P from backward to the next backward, flat fp32
//           gradients 4P for good, fp32 master 4 P/N, from the first step on moments 8 P/N
// backward  plain: the bf16 gradients of the step or micro-batch before are dropped first. After it
//           each is added to its fp32 one through an fp32 copy of the tensor.
// reduce    after the last micro-batch: all fp32 gradients cast to bf16 (+2P; the communication
// data
//           type is that of the weights), one all-reduce of 2P, averaged, copied back. Exposed.
// step      norm, clip if asked, optimizer on the own partition of the fp32 gradients (no cast),
// own
//           weights written back, one all-gather (2P), fp32 gradients zeroed.

#include <vector>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/deepspeed.h"
#include "sim/parallel/strategies/flat_group.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::StreamKind;

class Zero0Loop final : public TrainingLoop {
 public:
  explicit Zero0Loop(const PlanInput& input)
      : TrainingLoop(input),
        layout_(input.graph, input.ranks, false),
        optimizer_{{{layout_.partition()}}, input.training.optimizer, kMasterBytes},
        gradients_(layout_.tensors().size()) {
    for (std::size_t m = 0; m < module_count(); ++m) slot_of_.emplace_back(module(m).params.size());
    for (std::size_t i = 0; i < layout_.tensors().size(); ++i) {
      slot_of_[layout_.tensors()[i].module][layout_.tensors()[i].index] = i;
    }
  }

 private:
  std::int64_t padded() const { return layout_.partition() * ranks(); }

  void set_up() override {
    builder().alloc(MemoryCategory::kParameters, {kLowBytes * layout_.frozen()}, "frozen weights");
    builder().alloc(MemoryCategory::kParameters, {kLowBytes * padded()}, "flat weights");
    builder().alloc(MemoryCategory::kOptimizer, {kMasterBytes * layout_.partition()},
                    "fp32 master");
    builder().alloc(MemoryCategory::kGradients, {kMasterBytes * padded()}, "flat fp32 gradients");
  }

  void begin_backward() override {
    for (BufferId& gradient : gradients_) builder().free(gradient);
  }

  void on_gradient(ParamRef ref, BufferId gradient) override {
    gradients_[slot_of_[ref.module][ref.index]] = gradient;
  }

  void finish_backward() override {
    for (const ParamRef ref : layout_.tensors()) {
      const std::int64_t numel = param(ref).numel();
      BufferId wide = builder().alloc(MemoryCategory::kTemporary, {kMasterBytes * numel},
                                      "fp32 copy of a gradient");
      builder().compute(memory_kernel({(kLowBytes + 4 * kMasterBytes) * numel}, 2), 3,
                        "add to fp32 gradient");
      builder().free(wide);
    }
    if (last_micro_batch()) reduce();
  }

  void reduce() {
    const Bytes cast = memory_of_cast();
    BufferId low = builder().alloc(MemoryCategory::kCommunication, {kLowBytes * padded()},
                                   "bf16 copy of the gradients");
    builder().compute(memory_kernel(cast), 1, "cast gradients");
    order(StreamKind::kCompute, StreamKind::kReduce);
    builder().wait(
        StreamKind::kCompute,
        collective(CollectiveKind::kAllReduce, {kLowBytes * padded()}, schedule::DType::kBFloat16,
                   StreamKind::kReduce, "all-reduce gradients"));
    builder().compute(copy_kernel({kLowBytes * padded()}), 1, "average gradients");
    builder().compute(memory_kernel(cast), 1, "copy back gradients");
    builder().free(low);
  }

  Bytes memory_of_cast() const { return {(kLowBytes + kMasterBytes) * padded()}; }

  void optimizer_step(int step) override {
    const Bytes gradients{kMasterBytes * padded()};
    const int tensors = static_cast<int>(layout_.tensors().size());
    builder().compute(memory_kernel(gradients, tensors), 3 * tensors, "gradient norm");
    if (training().gradient_clipping) {
      builder().compute(copy_kernel(gradients), tensors, "gradient scale");
    }
    if (step == 0) allocate_optimizer_states(builder(), optimizer_);
    emit_optimizer_step(builder(), optimizer_);
    const Bytes own{(kLowBytes + kMasterBytes) * layout_.partition()};
    builder().compute(memory_kernel(own), 1, "write back weights");
    order(StreamKind::kCompute, StreamKind::kGather);
    builder().wait(
        StreamKind::kCompute,
        collective(CollectiveKind::kAllGather, {kLowBytes * padded()}, schedule::DType::kBFloat16,
                   StreamKind::kGather, "all-gather weights"));
    builder().compute(memory_kernel(gradients), 1, "zero fp32 gradients");
  }

  FlatGroup layout_;
  OptimizerWork optimizer_;
  std::vector<std::vector<std::size_t>> slot_of_;  // by module, by param: index of a trained tensor
  std::vector<BufferId> gradients_;                // bf16
};

}  // namespace

schedule::Schedule plan_zero0(const PlanInput& input) {
  return Zero0Loop(input).build();
}

}  // namespace heddle::parallel
