// DeepSpeed ZeRO stages 1 and 2 (deepspeed/runtime/zero/stage_1_and_2.py, 0.15.4). How gradients
// are reduced: reduce_bucket_loop.h.
//
// resident  bf16 weights 2P, fp32 master 4 P/N, from the first step on moments 8 P/N
// backward  bucket from the start of each micro-batch's backward. Stage 2 reduces as gradients
//           appear, in every micro-batch: the first share stays as it is (2 P/N), later ones are
//           made beside it (2 P/N more) and added. Stage 1 keeps all gradients (2P), adds
//           micro-batches in place and reduces after the last one, in the model's order; with
//           overlap_comm as they appear in the last backward. Its bucket of a micro-batch that
//           reduces nothing stays until the next backward.
// step      norm of the partition in fp64 (10 bytes per element of traffic and more), flat copy
//           (+2 P/N), fp32 cast (+4 P/N), both bf16 ones dropped, unscale pass, optimizer, write
//           back, then one all-gather of all weights (2P, whatever allgather_bucket_size says:
//           all_gather_into_tensor needs no buckets): exposed.
// offload   master, moments and fp32 gradients in host memory; on the GPU a staging buffer of the
//           largest tensor and, after the step, 4 P/N of new weights on their way to bf16. What the
//           host and the bus take is not modelled: times are lower bounds.

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/deepspeed.h"
#include "sim/parallel/strategies/reduce_bucket_loop.h"
#include "sim/parallel/strategies/sharding.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::StreamKind;

class Zero12Loop final : public ReduceBucketLoop {
 public:
  Zero12Loop(const PlanInput& input, bool partition_gradients)
      : ReduceBucketLoop(input, partition_gradients) {
    for (std::size_t m = 0; m < module_count(); ++m) {
      gradients_.emplace_back(module(m).params.size());
    }
  }

 private:
  void set_up() override {
    builder().alloc(MemoryCategory::kParameters, {kLowBytes * layout().frozen()}, "frozen weights");
    builder().alloc(MemoryCategory::kParameters, {kLowBytes * layout().partition() * ranks()},
                    "flat weights");
    if (offloads()) {
      builder().alloc(MemoryCategory::kCommunication, {kLowBytes * layout().largest()},
                      "offload staging");
      return;
    }
    const Bytes master{kMasterBytes * layout().partition()};
    builder().alloc(MemoryCategory::kOptimizer, master, "fp32 master");
    BufferId zeros = builder().alloc(MemoryCategory::kGradients, master, "zero gradients");
    builder().free(zeros);
  }

  void begin_backward() override {
    close_buckets();
    open_buckets();
  }

  void on_gradient(ParamRef ref, BufferId gradient) override {
    BufferId& kept = gradients_[ref.module][ref.index];
    if (partitions_gradients()) {
      if (!is_tied(ref)) return take(ref, gradient);
      kept = gradient;  // until the embedding has added to it
      return;
    }
    if (kept.valid()) {
      builder().compute(memory_kernel({3 * kLowBytes * param(ref).numel()}), 1, "add gradient");
      builder().free(gradient);
    } else {
      kept = gradient;
    }
    if (options().overlap_comm && last_micro_batch() && !is_tied(ref)) {
      take(ref, std::exchange(kept, {}));
    }
  }

  void finish_backward() override {
    if (!partitions_gradients() && !last_micro_batch()) return;
    for (const ParamRef ref : layout().tensors()) {
      BufferId& kept = gradients_[ref.module][ref.index];
      if (kept.valid()) take(ref, std::exchange(kept, {}));
    }
    finish_reduction();
    average(take_own());
    close_buckets();
  }

  void average(std::vector<BufferId> own) {
    if (averaged_.empty()) {
      averaged_ = std::move(own);
      return;
    }
    builder().compute(memory_kernel(partition_bytes() * 3, own_tensors()), own_tensors(),
                      "add to gradient partition");
    for (BufferId& gradient : own) builder().free(gradient);
  }

  void optimizer_step(int step) override {
    if (scales_loss()) check_overflow();
    if (offloads()) {
      reduce_norm();
      emit_host_step(builder(), layout().partition());
    } else {
      emit_norm();
      emit_partition_step(builder(), {layout().partition(), training().optimizer, step == 0},
                          averaged_);
    }
    gather_weights();
  }

  void check_overflow() {
    if (!offloads()) {  // else the host looks at what it got
      emit_overflow_check(builder(),
                          {layout().partition(), std::min(layout().largest(), layout().partition()),
                           own_tensors()});
    }
    all_reduce_scalar(builder().world(), "all-reduce overflow");
    builder().host_wait(builder().record(StreamKind::kCompute));
  }

  int own_tensors() const {
    return (static_cast<int>(layout().tensors().size()) + ranks() - 1) / ranks();
  }

  /// Each own gradient is widened to fp64 before its norm (get_grad_norm_direct).
  void emit_norm() {
    BufferId widened =
        builder().alloc(MemoryCategory::kTemporary,
                        {8 * std::min(layout().largest(), layout().partition())}, "fp64 gradient");
    emit_fp64_norm(builder(), layout().partition(), own_tensors());
    builder().free(widened);
    reduce_norm();
  }

  void reduce_norm() { all_reduce_scalar(builder().world(), "all-reduce norm"); }

  void gather_weights() {
    order(StreamKind::kCompute, StreamKind::kGather);
    builder().wait(
        StreamKind::kCompute,
        collective(CollectiveKind::kAllGather, {kLowBytes * layout().partition() * ranks()},
                   low_dtype(), StreamKind::kGather, "all-gather weights"));
  }

  std::vector<std::vector<BufferId>> gradients_;  // stage 1 and tied ones, until the reduction
  std::vector<BufferId> averaged_;                // own share of all micro-batches so far
};

}  // namespace

schedule::Schedule plan_zero12(const PlanInput& input, bool partition_gradients) {
  return Zero12Loop(input, partition_gradients).build();
}

}  // namespace heddle::parallel
