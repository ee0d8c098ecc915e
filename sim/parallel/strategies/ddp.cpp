// PyTorch DistributedDataParallel (torch 2.5: torch/nn/parallel/distributed.py,
// torch/csrc/distributed/c10d/reducer.cpp).
//
// Every rank holds weights, gradients, buckets and moments whole. Backward copies each gradient
// into its bucket; a full bucket is all-reduced on NCCL's own stream under the rest of backward; at
// the end compute waits for each in turn and the buckets are copied back.
//   buckets    one of everything at first (without find_unused_parameters the reducer is given no
//              limit), rebuilt in the order gradients became ready when the second step begins
//   view       gradient_as_bucket_view: once copied in, a gradient is a view into its bucket and
//              its own memory goes; nothing is copied out; zero_grad drops the view, not the bucket
//   static     static_graph: in the first step all is copied and reduced after backward
//   no_sync    of several micro-batches only the last reduces; the others add to the gradients

#include <limits>
#include <memory>
#include <utility>

#include "sim/parallel/buckets.h"
#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/strategies/all.h"
#include "sim/parallel/strategies/whole_loop.h"
#include "sim/parallel/training_support.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::EventId;
using schedule::MemoryCategory;
using schedule::StreamKind;

constexpr BucketLimits kOneBucket{{std::numeric_limits<std::int64_t>::max()},
                                  {std::numeric_limits<std::int64_t>::max()}};

/// The small first bucket comes with the default limit only (bucket_bytes_cap_default).
BucketLimits bucket_limits(const DdpOptions& options) {
  const Bytes cap = mebibytes(options.bucket_cap_mb);
  const bool is_default = options.bucket_cap_mb == DdpOptions{}.bucket_cap_mb;
  return {is_default ? BucketLimits{}.first : cap, cap};
}

class DdpLoop final : public WholeLoop {
 public:
  explicit DdpLoop(const PlanInput& input) : WholeLoop(input), options_(input.options.ddp) {
    assign(kOneBucket);
  }

 private:
  void assign(const BucketLimits& limits) {
    buckets_ = assign_buckets(sizes(), limits);
    bucket_of_.resize(sizes().size());
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      for (const std::size_t tensor : buckets_[b].tensors) bucket_of_[tensor] = b;
    }
  }

  void set_up() override {
    WholeLoop::set_up();
    allocate_buckets();
  }

  void allocate_buckets() {
    storage_.clear();
    for (const Bucket& bucket : buckets_) {
      storage_.push_back(
          builder().alloc(MemoryCategory::kCommunication, bucket.bytes, "gradient bucket"));
    }
  }

  void begin_step(int step) override {
    WholeLoop::begin_step(step);
    deferred_ = options_.static_graph && step == 0;
    if (step == 1) rebuild();
  }

  /// Old buckets go first, unless gradients that were kept are still views into them.
  void rebuild() {
    old_storage_ = std::move(storage_);
    if (!options_.gradient_as_bucket_view || training().zero_to_none) free_old_buckets();
    assign(bucket_limits(options_));
    allocate_buckets();
  }

  void free_old_buckets() {
    for (BufferId& buffer : old_storage_) builder().free(buffer);
    old_storage_.clear();
  }

  void begin_backward() override {
    missing_.clear();
    for (const Bucket& bucket : buckets_) missing_.push_back(bucket.tensors.size());
    reduced_.clear();
  }

  void gradient_ready(std::size_t tensor) override {
    if (last_micro_batch() && !deferred_) enter_bucket(tensor);
  }

  /// A copy and a division in one kernel; of a view, a division in place.
  void enter_bucket(std::size_t tensor) {
    builder().compute(copy_kernel(sizes()[tensor]), kHookDispatches, "copy into bucket");
    if (options_.gradient_as_bucket_view) drop_storage(tensor);
    const std::size_t bucket = bucket_of_[tensor];
    if (--missing_[bucket] == 0) reduce(bucket);
  }

  void reduce(std::size_t bucket) {
    order(StreamKind::kCompute, StreamKind::kReduce);
    reduced_.push_back(collective(CollectiveKind::kAllReduce, buckets_[bucket].bytes,
                                  gradient_dtype(), StreamKind::kReduce, "all-reduce bucket"));
  }

  void finish_backward() override {
    if (!last_micro_batch()) return;
    if (deferred_) {
      for (std::size_t tensor = 0; tensor < sizes().size(); ++tensor) enter_bucket(tensor);
    }
    free_old_buckets();
    // finalize_backward waits and copies bucket by bucket, in the order they were reduced.
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      builder().wait(StreamKind::kCompute, reduced_[b]);
      if (options_.gradient_as_bucket_view) continue;
      for (const std::size_t tensor : buckets_[b].tensors) {
        builder().compute(copy_kernel(sizes()[tensor]), kHookDispatches, "copy out of bucket");
      }
    }
  }

  schedule::DType gradient_dtype() const {
    return weight_bytes() == 2 ? schedule::DType::kBFloat16 : schedule::DType::kFloat32;
  }

  static constexpr int kHookDispatches = 1;  // the reducer's C++ hook: one fused copy and divide

  DdpOptions options_;
  std::vector<Bucket> buckets_;
  std::vector<std::size_t> bucket_of_;  // by tensor
  std::vector<BufferId> storage_;
  std::vector<BufferId> old_storage_;
  std::vector<std::size_t> missing_;
  std::vector<EventId> reduced_;
  bool deferred_ = false;
};

class Ddp final : public Strategy {
 public:
  std::string refusal(const PlanInput& input) const override {
    const std::string problem = without_masters(input.graph.compute.precision);
    if (!problem.empty()) return problem;
    return unsupported(input.training,
                       {.every_optimizer = true, .accumulation = true, .keeps_gradients = true},
                       "DDP");
  }
  schedule::Schedule plan(const PlanInput& input) const override { return DdpLoop(input).build(); }
};

}  // namespace

std::unique_ptr<Strategy> make_ddp(std::string_view) {
  return std::make_unique<Ddp>();
}

}  // namespace heddle::parallel
