// Megatron-LM core 0.9, data parallel only (megatron/core/distributed/param_and_grad_buffer.py,
// distributed_data_parallel.py; megatron/core/optimizer/{distrib_optimizer,optimizer}.py).
//
// resident  bf16 weights 2 P; one gradient buffer for good, 4 P (grad_reduce_in_fp32) or 2 P; fp32
//           master weights and moments 12 P, over N with the distributed optimizer
// step      the buffer is filled with zeros first
// backward  each bf16 gradient is added into the buffer and dropped (the hook's way; with
//           gradient_accumulation_fusion the product itself adds, which is not modelled)
// reduce    of the last micro-batch only: the buffer scaled by 1/N, then reduce-scattered in place
//           (all-reduced without the distributed optimizer). overlap_grad_reduce: bucket by bucket
//           under backward, max(4e7, 1e6 N) elements each; otherwise one bucket at the end
// optimizer on the fp32 shard (a bf16 buffer is cast first, +4 bytes per element), written back to
//           the bf16 weights, which are all-gathered in place: after the step, or bucket by bucket
//           under the next forward with overlap_param_gather
// padding   with the distributed optimizer every tensor begins at a multiple of 64 elements and
//           every bucket ends at one of lcm(N, 128)

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/all.h"
#include "sim/parallel/strategies/sharding.h"
#include "sim/parallel/training_loop.h"
#include "sim/parallel/training_support.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::DType;
using schedule::EventId;
using schedule::MemoryCategory;
using schedule::StreamKind;

constexpr std::int64_t kBucketElements = 40'000'000;  // distributed_data_parallel.py
constexpr std::int64_t kBucketElementsPerRank = 1'000'000;
constexpr std::int64_t kTensorAlignment = 64;   // elements
constexpr std::int64_t kBucketAlignment = 128;  // elements, with N
constexpr int kHookDispatches = 2;              // add, and the gradient is set to None
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class MegatronLoop final : public TrainingLoop {
 public:
  explicit MegatronLoop(const PlanInput& input)
      : TrainingLoop(input), options_(input.options.megatron) {
    fill_buckets();
    optimizer_ = {{}, training().optimizer, kMasterBytes};
    for (const GradBucket& bucket : buckets_) {
      optimizer_.tensors.push_back({bucket.elements / shards()});
    }
  }

 private:
  struct GradBucket {
    std::int64_t elements = 0;
    std::size_t tensors = 0;
    std::size_t missing = 0;
    EventId gathered;
  };

  int shards() const { return options_.use_distributed_optimizer ? ranks() : 1; }
  std::int64_t gradient_element() const {
    return options_.grad_reduce_in_fp32 ? kMasterBytes : kLowBytes;
  }

  /// Tensors enter the buffer in reverse order, as their gradients come.
  void fill_buckets() {
    const std::int64_t limit = options_.overlap_grad_reduce
                                   ? std::max(kBucketElements, kBucketElementsPerRank * ranks())
                                   : std::numeric_limits<std::int64_t>::max();
    bucket_of_.resize(module_count());
    GradBucket open;
    for (std::size_t m = module_count(); m-- > 0;) {
      bucket_of_[m].assign(module(m).params.size(), kNone);
      for (std::size_t p = module(m).params.size(); p-- > 0;) {
        if (!module(m).params[p].trainable) continue;
        open.elements = begin_of_tensor(open.elements) + module(m).params[p].numel();
        ++open.tensors;
        bucket_of_[m][p] = buckets_.size();
        if (open.elements >= limit) close(open);
      }
    }
    if (open.tensors > 0) close(open);
  }

  std::int64_t begin_of_tensor(std::int64_t end) const {
    return options_.use_distributed_optimizer ? round_up(end, kTensorAlignment) : end;
  }

  void close(GradBucket& open) {
    if (options_.use_distributed_optimizer) {
      open.elements = round_up(open.elements, std::lcm<std::int64_t>(ranks(), kBucketAlignment));
    }
    buffer_elements_ += open.elements;
    buckets_.push_back(std::exchange(open, {}));
  }

  Bytes gradients() const { return {gradient_element() * buffer_elements_}; }

  void set_up() override {
    const std::int64_t frozen = graph().param_count() - graph().trainable_count();
    builder().alloc(MemoryCategory::kParameters, {kLowBytes * frozen}, "frozen weights");
    builder().alloc(MemoryCategory::kParameters, {kLowBytes * buffer_elements_}, "weight buffer");
    builder().alloc(MemoryCategory::kGradients, gradients(), "gradient buffer");
    builder().alloc(MemoryCategory::kOptimizer, optimizer_.bytes(), "fp32 master");
  }

  void begin_step(int /*step*/) override {
    builder().compute(memory_kernel(gradients()), 1, "zero gradient buffer");
  }

  void begin_forward() override {
    for (GradBucket& bucket : buckets_) bucket.missing = bucket.tensors;
  }

  /// The pre-hook waits for the buckets that the module's weights are in.
  void before_forward(std::size_t m) override {
    for (const std::size_t b : bucket_of_[m]) {
      if (b == kNone) continue;
      builder().wait(StreamKind::kCompute, std::exchange(buckets_[b].gathered, {}));
    }
  }

  void on_gradient(ParamRef ref, BufferId gradient) override {
    const std::int64_t numel = param(ref).numel();
    builder().compute(memory_kernel({(kLowBytes + 2 * gradient_element()) * numel}),
                      kHookDispatches, "add to gradient buffer");
    builder().free(gradient);
    if (!is_tied(ref)) arrive(ref);
  }

  void arrive(ParamRef ref) {
    GradBucket& bucket = buckets_[bucket_of_[ref.module][ref.index]];
    --bucket.missing;
    if (bucket.missing == 0 && last_micro_batch() && options_.overlap_grad_reduce) reduce(bucket);
  }

  void after_backward(std::size_t m) override {
    if (module(m).kind != model::ModuleKind::kEmbedding) return;
    for (std::size_t head = 0; head < module_count(); ++head) {
      for (std::size_t p = 0; p < module(head).params.size(); ++p) {
        if (bucket_of_[head][p] != kNone && is_tied({head, p})) arrive({head, p});
      }
    }
  }

  void reduce(GradBucket& bucket) {
    const Bytes bytes{gradient_element() * bucket.elements};
    builder().compute(copy_kernel(bytes), 1, "scale gradient bucket");
    order(StreamKind::kCompute, StreamKind::kReduce);
    collective(options_.use_distributed_optimizer ? CollectiveKind::kReduceScatter
                                                  : CollectiveKind::kAllReduce,
               bytes, options_.grad_reduce_in_fp32 ? DType::kFloat32 : DType::kBFloat16,
               StreamKind::kReduce, "reduce gradient bucket");
  }

  void finish_backward() override {
    if (!last_micro_batch()) return;
    if (!options_.overlap_grad_reduce) {
      for (GradBucket& bucket : buckets_) reduce(bucket);
    }
    order(StreamKind::kReduce, StreamKind::kCompute);
  }

  void optimizer_step(int step) override {
    const Bytes shard = optimizer_.bytes();
    BufferId cast;
    if (!options_.grad_reduce_in_fp32) {
      cast = builder().alloc(MemoryCategory::kGradients, shard, "fp32 gradient");
      builder().compute(memory_kernel({(kLowBytes + kMasterBytes) * optimizer_.elements()}), 1,
                        "cast gradients");
    }
    if (training().gradient_clipping) clip();
    if (step == 0) allocate_optimizer_states(builder(), optimizer_);
    emit_optimizer_step(builder(), optimizer_);
    builder().free(cast);
    builder().compute(memory_kernel({(kLowBytes + kMasterBytes) * optimizer_.elements()}), 1,
                      "write back weights");
    gather_weights();
  }

  void clip() {
    emit_gradient_norm(builder(), optimizer_);
    if (options_.use_distributed_optimizer) {
      all_reduce_scalar(builder().world(), "all-reduce gradient norm");
    }
    emit_gradient_scale(builder(), optimizer_);
  }

  /// In place, in the order forward reads them.
  void gather_weights() {
    if (!options_.use_distributed_optimizer) return;
    order(StreamKind::kCompute, StreamKind::kGather);
    for (std::size_t b = buckets_.size(); b-- > 0;) {
      buckets_[b].gathered =
          collective(CollectiveKind::kAllGather, {kLowBytes * buckets_[b].elements},
                     DType::kBFloat16, StreamKind::kGather, "all-gather weights");
    }
    if (options_.overlap_param_gather) return;
    order(StreamKind::kGather, StreamKind::kCompute);
    for (GradBucket& bucket : buckets_) bucket.gathered = {};
  }

  MegatronOptions options_;
  std::vector<GradBucket> buckets_;
  std::vector<std::vector<std::size_t>> bucket_of_;  // by module, by param; kNone: frozen
  std::int64_t buffer_elements_ = 0;
  OptimizerWork optimizer_;
};

class Megatron final : public Strategy {
 public:
  std::string refusal(const PlanInput& input) const override {
    const MegatronOptions& options = input.options.megatron;
    if (input.graph.compute.precision != model::Precision::kBFloat16) {
      return "Megatron is modelled with bf16 weights only; set training.precision to \"bf16\"";
    }
    if (options.overlap_param_gather &&
        !(options.use_distributed_optimizer && options.overlap_grad_reduce)) {
      return "overlap_param_gather needs use_distributed_optimizer and overlap_grad_reduce";
    }
    return unsupported(input.training,
                       {.accumulation = true, .keeps_gradients = true},  // the buffer always stays
                       "Megatron");
  }
  schedule::Schedule plan(const PlanInput& input) const override {
    return MegatronLoop(input).build();
  }
};

}  // namespace

std::unique_ptr<Strategy> make_megatron(std::string_view) {
  return std::make_unique<Megatron>();
}

}  // namespace heddle::parallel
