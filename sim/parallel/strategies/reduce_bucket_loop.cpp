#include "sim/parallel/strategies/reduce_bucket_loop.h"

#include <algorithm>
#include <utility>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/strategies/deepspeed.h"

namespace heddle::parallel {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::StreamKind;

namespace {

// Host time in eager-operator dispatches. Measured on the host alone (deepspeed 0.15.4): +4.4 per
// tensor in stage 1's reduction, +9.3 in stage 2's hooks; README.md of this module.
constexpr int kStage1TakeDispatches = 4;
constexpr int kStage2TakeDispatches = 9;

void free_all(schedule::ScheduleBuilder& builder, std::vector<BufferId>& buffers) {
  for (BufferId& buffer : buffers) builder.free(buffer);
  buffers.clear();
}

}  // namespace

ReduceBucketLoop::ReduceBucketLoop(const PlanInput& input, bool partition_gradients)
    : TrainingLoop(input),
      options_(input.options.deepspeed),
      layout_(input.graph, input.ranks, input.options.deepspeed.round_robin_gradients),
      partition_gradients_(partition_gradients) {}

Bytes ReduceBucketLoop::partition_bytes() const {
  return {kLowBytes * layout_.partition()};
}

StreamKind ReduceBucketLoop::stream() const {
  return options_.overlap_comm ? StreamKind::kReduce : StreamKind::kCompute;
}

void ReduceBucketLoop::open_buckets() {
  if (!contiguous()) return;
  const int count = options_.overlap_comm ? 2 : 1;
  for (int i = 0; i < count; ++i) {
    buckets_.push_back(builder().alloc(MemoryCategory::kCommunication,
                                       {kLowBytes * options_.reduce_bucket_size}, "reduce bucket"));
  }
  current_ = 0;
}

void ReduceBucketLoop::close_buckets() {
  free_all(builder(), buckets_);
}

void ReduceBucketLoop::take(ParamRef ref, BufferId gradient) {
  const std::int64_t numel = param(ref).numel();
  const int dispatches = partition_gradients_ ? kStage2TakeDispatches : kStage1TakeDispatches;
  if (in_bucket_ + numel > options_.reduce_bucket_size) flush();
  in_bucket_ += numel;
  if (contiguous() && numel <= options_.reduce_bucket_size) {
    builder().compute(copy_kernel({kLowBytes * numel}), dispatches, "copy into bucket");
    builder().free(gradient);
  } else {
    builder().host_work(dispatches, "gradient hook");
  }
  pending_.push_back({ref, gradient});
}

/// Whether reduction runs on a copy: of the slices of several ranks, or of several gradients.
bool ReduceBucketLoop::needs_flat_copy() const {
  if (!contiguous()) return pending_.size() > 1;
  int slices = 0;
  int last = -1;
  for (const Pending& pending : pending_) {
    const int first_owner = layout_.first_owner(pending.ref);
    slices += first_owner == last ? 0 : 1;
    last = layout_.last_owner(pending.ref);
    slices += last - first_owner;
  }
  return slices > 1;
}

void ReduceBucketLoop::flush() {
  if (pending_.empty()) return;
  if (options_.overlap_comm) {
    order(StreamKind::kCompute, StreamKind::kReduce);
    builder().wait(StreamKind::kCompute, last_reduction_);
    if (!contiguous()) {
      wait_for_device();
      if (partition_gradients_) free_all(builder(), reduced_);
    }
  }
  const Bytes bytes{kLowBytes * in_bucket_};
  reduce(bytes);
  if (offloads()) {
    copy_to_host(bytes);
  } else if (contiguous()) {
    keep_own(bytes);
  }
  for (Pending& pending : pending_) drop_or_keep(pending);
  if (options_.overlap_comm) last_reduction_ = builder().record(StreamKind::kReduce);
  pending_.clear();
  in_bucket_ = 0;
  current_ = buckets_.size() > 1 ? 1 - current_ : 0;
}

void ReduceBucketLoop::reduce(Bytes bytes) {
  builder().compute(copy_kernel(bytes), 1, "average bucket", stream());
  BufferId flat;
  if (needs_flat_copy()) {
    flat = builder().alloc(MemoryCategory::kCommunication, bytes, "flat bucket", stream());
    builder().compute(copy_kernel(bytes), 1, "flatten bucket", stream());
  }
  if (!options_.overlap_comm) order(StreamKind::kCompute, StreamKind::kReduce);
  const auto done = collective(CollectiveKind::kAllReduce, bytes, low_dtype(), StreamKind::kReduce,
                               "all-reduce bucket");
  if (!options_.overlap_comm) builder().wait(StreamKind::kCompute, done);
  if (!contiguous()) builder().compute(copy_kernel(bytes), 1, "copy out of bucket", stream());
  builder().free(flat);
}

void ReduceBucketLoop::keep_own(Bytes bytes) {
  if (own_.empty()) {
    own_.push_back(builder().alloc(MemoryCategory::kGradients, partition_bytes(),
                                   "gradient partition", stream()));
  }
  builder().compute(copy_kernel({bytes.value / ranks()}), 1, "keep own part", stream());
}

/// Into pinned memory, tensor by tensor: the norm in fp64, then an fp32 copy that is sent. With
/// accumulation the sum of the micro-batches before is fetched into the staging buffer first.
void ReduceBucketLoop::copy_to_host(Bytes bytes) {
  const Bytes own{bytes.value / ranks()};
  if (training().accumulation > 1) {
    builder().compute(copy_kernel(own), 2, "sum with host gradients", stream());
  }
  if (!last_micro_batch()) return;
  std::int64_t largest = 0;
  for (const Pending& pending : pending_) largest = std::max(largest, param(pending.ref).numel());
  largest = std::min(largest, layout_.partition());
  for (const std::int64_t width : {std::int64_t{8}, kMasterBytes}) {
    BufferId copy =
        builder().alloc(MemoryCategory::kTemporary, {width * largest},
                        width == kMasterBytes ? "fp32 gradient" : "fp64 gradient", stream());
    builder().compute(memory_kernel({own.value + own.value / kLowBytes * width}), 1,
                      "send own part", stream());
    builder().free(copy);
  }
}

void ReduceBucketLoop::drop_or_keep(Pending& pending) {
  if (!pending.gradient.valid()) return;
  if (!contiguous() && is_own(pending.ref)) {
    own_.push_back(pending.gradient);
  } else if (partition_gradients_ && (contiguous() || !options_.overlap_comm)) {
    builder().free(pending.gradient);
  } else {
    reduced_.push_back(pending.gradient);
  }
}

void ReduceBucketLoop::wait_for_device() {
  builder().host_wait(builder().record(StreamKind::kCompute));
  builder().host_wait(builder().record(StreamKind::kReduce));
}

void ReduceBucketLoop::finish_reduction() {
  flush();
  if (options_.overlap_comm) wait_for_device();
  last_reduction_ = {};
  free_all(builder(), reduced_);
}

std::vector<BufferId> ReduceBucketLoop::take_own() {
  return std::exchange(own_, {});
}

}  // namespace heddle::parallel
