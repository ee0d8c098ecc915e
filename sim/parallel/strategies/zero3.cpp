// DeepSpeed ZeRO stage 3 (deepspeed/runtime/zero/stage3.py, 0.15.4), overlap_comm and
// reduce_scatter as by default. Weights: gathered_loop.h.
//
// resident  16 P/N (bf16 weights and gradients, fp32 master, from the first step on moments) plus
//           the bucket, for good; weights under the persistence threshold stay whole
// backward  each gradient is copied into the bucket on the reduce stream and dropped, its memory
//           reused only once that stream is past it (record_stream; without
//           contiguous_gradients, or larger than the bucket: it waits for its reduction where it
//           is). Full bucket: its content concatenated rank by rank (a second buffer of what is in
//           it, unless it is a single gradient that N divides), averaged, reduce-scattered, own
//           slice written or, from the second micro-batch on, added to the flat gradients.
// step      per sub-group, closed by the tensor that brings it to sub_group_size: flat copy, fp32
//           cast, unscale, optimizer, write back.
// offload   of the optimizer: gradients, master and moments in host memory; each own slice is
//           widened to fp32 on its way there. Of the weights: shards come to the GPU for each
//           gather. What the host and the bus take is not modelled: times are lower bounds.

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/deepspeed.h"
#include "sim/parallel/strategies/gathered_loop.h"
#include "sim/parallel/strategies/sharding.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::EventId;
using schedule::MemoryCategory;
using schedule::StreamKind;

constexpr std::size_t kReductionsInFlight = 2;  // max_param_reduce_events
constexpr int kGradientDispatches = 12;         // per gradient hook; see gathered_loop.cpp

class Zero3Loop final : public GatheredLoop {
 public:
  explicit Zero3Loop(const PlanInput& input) : GatheredLoop(input) {
    std::int64_t open = 0;
    for (const model::Module& m : input.graph.modules) {
      for (const model::ParamTensor& p : m.params) {
        if (!p.trainable) continue;
        ++tensors_;
        largest_ = std::max(largest_, p.numel());
        trained_ += shard_elements(p.numel(), ranks());
        open += shard_elements(p.numel(), ranks());
        if (open >= options().sub_group_size) sub_groups_.push_back(std::exchange(open, 0));
      }
    }
    if (open > 0) sub_groups_.push_back(open);
  }

 private:
  struct Pending {
    BufferId gradient;  // invalid once its content is in the bucket
    std::int64_t elements = 0;
  };

  bool offloads() const { return training().offload.optimizer; }

  void set_up() override {
    allocate_weights();
    if (!offloads()) {
      builder().alloc(MemoryCategory::kGradients, {kLowBytes * trained_}, "flat gradient shard");
      builder().alloc(MemoryCategory::kOptimizer, {kMasterBytes * trained_}, "fp32 master");
    }
    if (options().contiguous_gradients) {
      builder().alloc(MemoryCategory::kCommunication, {kLowBytes * options().reduce_bucket_size},
                      "reduce bucket");
    }
  }

  void on_gradient(ParamRef ref, BufferId gradient) override {
    if (is_tied(ref)) {  // until the embedding has added to it
      tied_.emplace_back(ref, gradient);
    } else {
      take(ref, gradient);
    }
  }

  void take(ParamRef ref, BufferId gradient) {
    const std::int64_t numel = param(ref).numel();
    if (in_bucket_ + numel > options().reduce_bucket_size) flush();
    order(StreamKind::kCompute, StreamKind::kReduce);
    in_bucket_ += numel;
    if (options().contiguous_gradients && numel <= options().reduce_bucket_size) {
      builder().compute(copy_kernel({kLowBytes * numel}), kGradientDispatches, "copy into bucket",
                        StreamKind::kReduce);
      builder().free_after(gradient, StreamKind::kReduce);
    } else {
      builder().host_work(kGradientDispatches, "gradient hook");
    }
    pending_.push_back({gradient, numel});
  }

  bool needs_flat_copy() const {
    return pending_.size() > 1 || pending_.front().elements % ranks() != 0;
  }

  void flush() {
    if (pending_.empty()) return;
    if (reductions_.size() > kReductionsInFlight) {
      builder().host_wait(reductions_.front());
      reductions_.pop_front();
    }
    const Bytes bytes{kLowBytes * in_bucket_};
    BufferId flat;
    if (needs_flat_copy()) {
      flat = builder().alloc(MemoryCategory::kCommunication, bytes, "concatenated bucket",
                             StreamKind::kReduce);
      builder().compute(copy_kernel(bytes), 1, "concatenate bucket", StreamKind::kReduce);
    }
    builder().compute(copy_kernel(bytes), 1, "average bucket", StreamKind::kReduce);
    collective(CollectiveKind::kReduceScatter, bytes, low_dtype(), StreamKind::kReduce,
               "reduce-scatter bucket");
    keep_own({bytes.value / ranks()});
    builder().free(flat);
    for (Pending& pending : pending_) {
      builder().free_after(pending.gradient, StreamKind::kReduce);
    }
    reductions_.push_back(builder().record(StreamKind::kReduce));
    pending_.clear();
    in_bucket_ = 0;
  }

  void keep_own(Bytes own) {
    if (offloads()) return send_own(own);
    const std::int64_t accesses = first_micro_batch() ? 2 : 3;
    builder().compute(memory_kernel(own * accesses), 1, "keep own slice", StreamKind::kReduce);
  }

  /// Slice by slice into pinned memory; all slices of the bucket come back as tensors on the GPU,
  /// for the norm, and stay until the bucket is done.
  void send_own(Bytes own) {
    BufferId back =
        builder().alloc(MemoryCategory::kTemporary, own, "own slices", StreamKind::kReduce);
    if (last_micro_batch()) {
      std::int64_t largest = 0;
      for (const Pending& pending : pending_) largest = std::max(largest, pending.elements);
      BufferId wide =
          builder().alloc(MemoryCategory::kTemporary, {8 * shard_elements(largest, ranks())},
                          "fp64 gradient", StreamKind::kReduce);
      builder().compute(memory_kernel(own * 10), 3, "norm and fp32 copy", StreamKind::kReduce);
      builder().free(wide);
      builder().host_wait(builder().record(StreamKind::kReduce));
    } else {
      builder().compute(copy_kernel(own), 1, "keep own slice", StreamKind::kReduce);
    }
    builder().free(back);
  }

  void finish_backward() override {
    for (const auto& [ref, gradient] : tied_) take(ref, gradient);
    tied_.clear();
    flush();
    builder().host_wait(builder().record(StreamKind::kReduce));  // the epilogue synchronises
    reductions_.clear();
    finish_reading();
  }

  void optimizer_step(int step) override {
    if (scales_loss()) check_overflow();
    if (!offloads()) emit_fp64_norm(builder(), trained_, tensors_);
    all_reduce_scalar(builder().world(), "all-reduce norm");
    for (const std::int64_t elements : sub_groups_) step_sub_group(elements, step == 0);
    order(StreamKind::kCompute, StreamKind::kGather);
    builder().wait(StreamKind::kCompute,
                   collective(CollectiveKind::kAllGather, {kLowBytes * persistent()}, low_dtype(),
                              StreamKind::kGather, "all-gather persistent weights"));
  }

  void check_overflow() {
    if (!offloads()) {
      const std::int64_t largest = shard_elements(largest_, ranks());
      emit_overflow_check(builder(), {trained_, largest, tensors_});
    }
    all_reduce_scalar(builder().world(), "all-reduce overflow");
    builder().host_wait(builder().record(StreamKind::kCompute));
  }

  void step_sub_group(std::int64_t elements, bool first) {
    if (!offloads()) {
      std::vector<BufferId> none;  // the flat gradients stay
      emit_partition_step(builder(), {elements, training().optimizer, first}, none);
      return;
    }
    builder().host_wait(builder().record(StreamKind::kCompute));
    builder().host_work(1, "optimizer on the host");
    if (!training().offload.parameters) {  // rounded on the host, then copied
      builder().compute(memory_kernel({kLowBytes * elements}), 1, "write back weights");
    }
  }

  std::int64_t trained_ = 0;  // elements of this rank's shards of trained tensors
  std::int64_t largest_ = 0;  // elements of the largest trained tensor, whole
  int tensors_ = 0;           // trained
  std::vector<std::int64_t> sub_groups_;
  std::vector<Pending> pending_;
  std::vector<std::pair<ParamRef, BufferId>> tied_;
  std::deque<EventId> reductions_;
  std::int64_t in_bucket_ = 0;
};

}  // namespace

schedule::Schedule plan_zero3(const PlanInput& input) {
  return Zero3Loop(input).build();
}

}  // namespace heddle::parallel
