// PyTorch DistributedDataParallel (torch/csrc/distributed/c10d/reducer.cpp).
//
// Every rank holds weights, gradients, buckets and moments whole. Backward copies each gradient
// into its bucket (gradient_as_bucket_view off, the default); a full bucket is all-reduced on
// NCCL's own stream under the rest of backward; at the end compute waits for each in turn and the
// buckets are copied back. After the first step buckets are rebuilt in the order gradients became
// ready.

#include <memory>
#include <utility>

#include "sim/parallel/buckets.h"
#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/all.h"
#include "sim/parallel/training_loop.h"
#include "sim/parallel/training_support.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::EventId;
using schedule::MemoryCategory;
using schedule::StreamKind;

class DdpLoop final : public TrainingLoop {
 public:
  explicit DdpLoop(const PlanInput& input) : TrainingLoop(input) { order_gradients(); }

 private:
  /// Gradients in the order backward makes them ready.
  void order_gradients() {
    for (std::size_t m = module_count(); m-- > 0;) {
      slot_of_.insert(slot_of_.begin(), std::vector<std::size_t>(module(m).params.size()));
      for (const model::Row& row : module(m).backward) {
        for (const int p : row.gradients) {
          slot_of_.front()[static_cast<std::size_t>(p)] = sizes_.size();
          const ParamRef ref{m, static_cast<std::size_t>(p)};
          sizes_.push_back({param(ref).numel() * weight_bytes()});
          optimizer_.tensors.push_back(optimizer_tensor(param(ref)));
        }
      }
    }
    buckets_ = assign_buckets(sizes_, BucketLimits{});
    bucket_of_.resize(sizes_.size());
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      for (const std::size_t tensor : buckets_[b].tensors) bucket_of_[tensor] = b;
    }
    optimizer_.spec = training().optimizer;
    optimizer_.element_bytes = weight_bytes();
  }

  void set_up() override {
    for (const Bytes bytes : sizes_) builder().alloc(MemoryCategory::kParameters, bytes, "weight");
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
    if (step == 1) {  // rebuilt once, in ready order
      for (BufferId& buffer : storage_) builder().free(buffer);
      allocate_buckets();
    }
    gradients_.assign(sizes_.size(), {});
    missing_.clear();
    for (const Bucket& bucket : buckets_) missing_.push_back(bucket.tensors.size());
    reduced_.clear();
  }

  void on_gradient(ParamRef ref, BufferId gradient) override {
    const std::size_t tensor = slot_of_[ref.module][ref.index];
    gradients_[tensor] = gradient;
    builder().compute(copy_kernel(sizes_[tensor]), kHookDispatches, "copy into bucket");
    const std::size_t bucket = bucket_of_[tensor];
    if (--missing_[bucket] == 0) reduce(bucket);
  }

  void reduce(std::size_t bucket) {
    order(StreamKind::kCompute, StreamKind::kReduce);
    reduced_.push_back(collective(CollectiveKind::kAllReduce, buckets_[bucket].bytes,
                                  gradient_dtype(), StreamKind::kReduce, "all-reduce bucket"));
  }

  void finish_backward() override {
    // finalize_backward waits and copies bucket by bucket, in the order they were reduced.
    for (std::size_t b = 0; b < buckets_.size(); ++b) {
      builder().wait(StreamKind::kCompute, reduced_[b]);
      for (const std::size_t tensor : buckets_[b].tensors) {
        builder().compute(copy_kernel(sizes_[tensor]), kHookDispatches, "copy out of bucket");
      }
    }
  }

  void optimizer_step(int step) override {
    if (training().gradient_clipping) {
      emit_gradient_norm(builder(),
                         optimizer_);  // gradients are whole: the local norm is the global
      emit_gradient_scale(builder(), optimizer_);
    }
    if (step == 0) allocate_optimizer_states(builder(), optimizer_);
    emit_optimizer_step(builder(), optimizer_);
  }

  void zero_gradients() override {
    for (BufferId& gradient : gradients_) builder().free(gradient);
  }

  schedule::DType gradient_dtype() const {
    return weight_bytes() == 2 ? schedule::DType::kBFloat16 : schedule::DType::kFloat32;
  }

  static constexpr int kHookDispatches = 1;  // the reducer's C++ hook: one fused copy and divide

  std::vector<std::vector<std::size_t>> slot_of_;  // by module, by param: index in ready order
  std::vector<Bytes> sizes_;                       // gradients in ready order
  std::vector<Bucket> buckets_;
  std::vector<std::size_t> bucket_of_;
  std::vector<BufferId> storage_;
  std::vector<BufferId> gradients_;
  std::vector<std::size_t> missing_;
  std::vector<EventId> reduced_;
  OptimizerWork optimizer_;
};

class Ddp final : public Strategy {
 public:
  std::string refusal(const PlanInput& input) const override {
    if (input.options.ddp != DdpOptions{}) return "options of DDP are not modelled";
    return unsupported(input.training, {.every_optimizer = true}, "DDP");
  }
  schedule::Schedule plan(const PlanInput& input) const override { return DdpLoop(input).build(); }
};

}  // namespace

std::unique_ptr<Strategy> make_ddp(std::string_view) {
  return std::make_unique<Ddp>();
}

}  // namespace heddle::parallel
