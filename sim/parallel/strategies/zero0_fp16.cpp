// DeepSpeed with fp16 and ZeRO off (deepspeed/runtime/fp16/fused_optimizer.py, engine.py, 0.15.4):
// FP16_Optimizer over FusedAdam. Nothing is sharded.
//
// resident  fp16 weights 2P, fp32 master 4P, from the first step on moments 8P; fp16 gradients 2P
//           from backward to the step
// reduce    after the last micro-batch (buffered_allreduce_fallback): buckets of up to 5e8
// elements,
//           each flattened, averaged, all-reduced and copied back. Exposed.
// step      overflow check of every gradient, which the host waits for; each gradient widened to
//           fp32 (+4P), all of them flattened (+4P), the copies and the fp16 gradients dropped;
//           norm, unscale and clip in one pass, optimizer, weights written back

#include <vector>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/deepspeed.h"
#include "sim/parallel/strategies/flat_group.h"
#include "sim/parallel/strategies/whole_loop.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::StreamKind;

constexpr std::int64_t kBucketElements = 500'000'000;  // MEMORY_OPT_ALLREDUCE_SIZE in engine.py
constexpr int kDispatchesPerTensor = 2;                // a view into the bucket and a copy

class Zero0Fp16Loop final : public WholeLoop {
 public:
  explicit Zero0Fp16Loop(const PlanInput& input)
      : WholeLoop(input),
        layout_(input.graph, input.ranks, false),
        optimizer_{{{elements()}}, input.training.optimizer, kMasterBytes} {}

 private:
  struct Bucket {
    std::int64_t elements = 0;
    int tensors = 0;
  };

  std::int64_t elements() const { return layout_.elements(); }
  int tensors() const { return static_cast<int>(layout_.tensors().size()); }

  void set_up() override {
    WholeLoop::set_up();
    builder().alloc(MemoryCategory::kOptimizer, {kMasterBytes * elements()}, "fp32 master");
  }

  /// In the model's order; a bucket is closed by the tensor that overfills it.
  std::vector<Bucket> buckets() const {
    std::vector<Bucket> all(1);
    for (const ParamRef ref : layout_.tensors()) {
      if (all.back().elements > kBucketElements) all.emplace_back();
      all.back().elements += param(ref).numel();
      ++all.back().tensors;
    }
    return all;
  }

  void finish_backward() override {
    if (!last_micro_batch() || ranks() == 1) return;
    for (const Bucket& bucket : buckets()) reduce(bucket);
  }

  void reduce(const Bucket& bucket) {
    const Bytes bytes{kLowBytes * bucket.elements};
    BufferId flat = builder().alloc(MemoryCategory::kCommunication, bytes, "flat bucket");
    builder().compute(copy_kernel(bytes), 1, "flatten bucket");
    builder().compute(copy_kernel(bytes), 1, "average bucket");
    order(StreamKind::kCompute, StreamKind::kReduce);
    builder().wait(StreamKind::kCompute, collective(CollectiveKind::kAllReduce, bytes, low_dtype(),
                                                    StreamKind::kReduce, "all-reduce bucket"));
    builder().compute(memory_kernel(bytes * 2, bucket.tensors),
                      kDispatchesPerTensor * bucket.tensors, "copy bucket back");
    builder().free(flat);
  }

  void check_overflow() {
    emit_overflow_check(builder(), {elements(), layout_.largest(), tensors()});
    all_reduce_scalar(builder().world(), "all-reduce overflow");
    builder().host_wait(builder().record(StreamKind::kCompute));
  }

  void optimizer_step(int step) override {
    check_overflow();
    const Bytes low{kLowBytes * elements()};
    const Bytes master{kMasterBytes * elements()};
    BufferId wide = builder().alloc(MemoryCategory::kTemporary, master, "fp32 gradients");
    builder().compute(memory_kernel(low + master, tensors()), tensors(), "cast gradients");
    BufferId gradient = builder().alloc(MemoryCategory::kGradients, master, "flat fp32 gradient");
    builder().compute(copy_kernel(master), 1, "flatten gradients");
    builder().free(wide);
    WholeLoop::zero_gradients();
    builder().compute(memory_kernel(master), 1, "gradient norm");
    builder().compute(copy_kernel(master), 1, "unscale gradients");
    if (step == 0) allocate_optimizer_states(builder(), optimizer_);
    emit_optimizer_step(builder(), optimizer_);
    builder().free(gradient);
    builder().compute(memory_kernel(low + master, tensors()), tensors(), "write back weights");
  }

  void zero_gradients() override {}  // the step dropped them

  FlatGroup layout_;
  OptimizerWork optimizer_;
};

}  // namespace

schedule::Schedule plan_zero0_fp16(const PlanInput& input) {
  return Zero0Fp16Loop(input).build();
}

}  // namespace heddle::parallel
