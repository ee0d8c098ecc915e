// DeepSpeed ZeRO stages 1 and 2 (deepspeed/runtime/zero/stage_1_and_2.py, 0.15.4), defaults:
// contiguous_gradients, overlap_comm off, reduce_scatter with use_multi_rank_bucket_allreduce.
//
// resident  bf16 weights 2P, fp32 master and moments 12 P/N
// backward  bucket of 5e8 elements from the start of backward. Stage 2: each gradient is copied
// into
//           it as it appears and dropped; stage 1 keeps them all (2P) and does so after backward.
//           Full bucket: averaged in place, ALL-reduced (each rank then keeps only its own part, so
//           the wire carries as much as DDP's), waited for on the compute stream: never overlapped.
//           Own part is copied to the gradient partition (2 P/N, at the first own bucket).
// step      norm of the partition in fp64 (10 bytes per element of traffic and more), flat copy
//           (+2 P/N), fp32 cast (+4 P/N), both bf16 ones dropped, unscale pass, optimizer, write
//           back, then one all-gather of all weights (2P): exposed.

#include <algorithm>
#include <vector>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/deepspeed.h"
#include "sim/parallel/strategies/sharding.h"
#include "sim/parallel/training_loop.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::StreamKind;

class Zero12Loop final : public TrainingLoop {
 public:
  Zero12Loop(const PlanInput& input, bool partition_gradients)
      : TrainingLoop(input), partition_gradients_(partition_gradients) {
    elements_ = graph().param_count();
    partition_ = 2 * shard_elements(elements_, 2 * ranks());  // padded to 2N elements in all
    optimizer_ = {{{partition_}}, training().optimizer, kMasterBytes};
    gradients_.resize(module_count());
    for (std::size_t m = 0; m < module_count(); ++m) {
      gradients_[m].resize(module(m).params.size());
      tensors_ += static_cast<int>(module(m).params.size());
    }
  }

 private:
  void set_up() override {
    builder().alloc(MemoryCategory::kParameters, {kLowBytes * partition_ * ranks()},
                    "flat weights");
    builder().alloc(MemoryCategory::kOptimizer, {kMasterBytes * partition_}, "fp32 master");
    BufferId zeros =
        builder().alloc(MemoryCategory::kGradients, {kMasterBytes * partition_}, "zero gradients");
    allocate_optimizer_states(builder(),
                              optimizer_);  // the states are made by a step on zero gradients
    builder().free(zeros);
  }

  void begin_backward() override {
    bucket_ = builder().alloc(MemoryCategory::kCommunication, {kLowBytes * defaults_.reduce_bucket},
                              "reduce bucket");
    in_bucket_ = 0;
  }

  void on_gradient(ParamRef ref, BufferId gradient) override {
    if (partition_gradients_) return take(ref, gradient);
    gradients_[ref.module][ref.index] = gradient;
  }

  /// Moves a gradient into the bucket, reducing the bucket first if it would overflow.
  void take(ParamRef ref, BufferId gradient) {
    const int dispatches = partition_gradients_ ? kStage2TakeDispatches : kStage1TakeDispatches;
    const std::int64_t numel = param(ref).numel();
    if (in_bucket_ > 0 && in_bucket_ + numel > defaults_.reduce_bucket) flush();
    in_bucket_ += numel;
    if (numel > defaults_.reduce_bucket) {  // reduced where it is
      builder().host_work(dispatches, "gradient hook");
      flush();
    } else {
      builder().compute(copy_kernel({kLowBytes * numel}), dispatches, "copy into bucket");
    }
    builder().free(gradient);
  }

  void flush() {
    if (in_bucket_ == 0) return;
    const Bytes bytes{kLowBytes * in_bucket_};
    builder().compute(copy_kernel(bytes), 1, "average bucket");
    order(StreamKind::kCompute, StreamKind::kReduce);
    builder().wait(StreamKind::kCompute,
                   collective(CollectiveKind::kAllReduce, bytes, schedule::DType::kBFloat16,
                              StreamKind::kReduce, "all-reduce bucket"));
    if (!own_gradients_.valid()) {
      own_gradients_ = builder().alloc(MemoryCategory::kGradients, {kLowBytes * partition_},
                                       "gradient partition");
    }
    const Bytes own{bytes.value / ranks()};
    builder().compute(copy_kernel(own), 1, "keep own part");
    in_bucket_ = 0;
  }

  void finish_backward() override {
    if (!partition_gradients_) {
      for (std::size_t m = 0; m < module_count(); ++m) {
        for (std::size_t p = 0; p < gradients_[m].size(); ++p) {
          if (gradients_[m][p].valid()) take({m, p}, gradients_[m][p]);
          gradients_[m][p] = {};
        }
      }
    }
    flush();
    builder().free(bucket_);
  }

  void optimizer_step(int /*step*/) override {
    emit_norm();
    emit_partition_step(builder(), partition_, training().optimizer, &own_gradients_);
    gather_weights();
  }

  /// Each own gradient is widened to fp64 before its norm (get_grad_norm_direct).
  void emit_norm() {
    const int own_tensors = (tensors_ + ranks() - 1) / ranks();
    BufferId widened = builder().alloc(
        MemoryCategory::kTemporary, {8 * std::min(largest_tensor(), partition_)}, "fp64 gradient");
    emit_fp64_norm(builder(), partition_, own_tensors);
    builder().free(widened);
    order(StreamKind::kCompute, StreamKind::kReduce);
    builder().wait(StreamKind::kCompute,
                   collective(CollectiveKind::kAllReduce, {4}, schedule::DType::kFloat32,
                              StreamKind::kReduce, "all-reduce norm"));
  }

  std::int64_t largest_tensor() const {
    std::int64_t largest = 0;
    for (std::size_t m = 0; m < module_count(); ++m) {
      for (const model::ParamTensor& p : module(m).params) largest = std::max(largest, p.numel());
    }
    return largest;
  }

  void gather_weights() {
    order(StreamKind::kCompute, StreamKind::kGather);
    builder().wait(
        StreamKind::kCompute,
        collective(CollectiveKind::kAllGather, {kLowBytes * partition_ * ranks()},
                   schedule::DType::kBFloat16, StreamKind::kGather, "all-gather weights"));
  }

  // Host time in eager-operator dispatches. Measured on the host alone (deepspeed 0.15.4): +4.4 per
  // tensor in stage 1's reduction, +9.3 in stage 2's hooks; README.md of this module.
  static constexpr int kStage1TakeDispatches = 4;
  static constexpr int kStage2TakeDispatches = 9;

  DeepSpeedDefaults defaults_;
  bool partition_gradients_;
  std::int64_t elements_ = 0;
  std::int64_t partition_ = 0;  // elements of one rank
  std::int64_t in_bucket_ = 0;  // elements waiting in the bucket
  int tensors_ = 0;
  OptimizerWork optimizer_;
  BufferId bucket_;
  BufferId own_gradients_;
  std::vector<std::vector<BufferId>> gradients_;  // stage 1, until the reduction
};

}  // namespace

schedule::Schedule plan_zero12(const PlanInput& input, bool partition_gradients) {
  return Zero12Loop(input, partition_gradients).build();
}

}  // namespace heddle::parallel
