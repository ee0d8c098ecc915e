// DeepSpeed ZeRO stage 3 (deepspeed/runtime/zero/stage3.py, 0.15.4), defaults: overlap_comm,
// contiguous_gradients, reduce_scatter.
//
// resident  16 P/N (bf16 weights and gradients, fp32 master and moments) plus the bucket of 5e8
//           elements, for good; weights under 1e5 elements stay whole
// rows      weights are gathered for the module that reads them, prefetched and kept as
//           param_cache.h says. One weight: its gather buffer becomes the weight. A group: one flat
//           buffer, then a copy of each weight when it arrives, and the flat buffer goes.
//           (DeepSpeed copies on its gather stream; here the compute stream does.)
// backward  each gradient is copied into the bucket on the reduce stream and dropped. Full bucket:
//           its content concatenated rank by rank (a second buffer of what is in it), averaged,
//           reduce-scattered, own slice added to the flat gradients.
// step      per sub-group of s elements: flat copy, fp32 cast, unscale, optimizer, write back.

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/optimizer.h"
#include "sim/parallel/strategies/deepspeed.h"
#include "sim/parallel/strategies/param_cache.h"
#include "sim/parallel/strategies/sharding.h"
#include "sim/parallel/training_loop.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::EventId;
using schedule::MemoryCategory;
using schedule::StreamKind;

constexpr std::size_t kReductionsInFlight = 2;  // max_param_reduce_events
constexpr std::size_t kFetchesInFlight = 2;     // max_ongoing_fetch_events

// Host time of DeepSpeed's Python hooks, in dispatches of an eager operator. Measured on the host
// alone (deepspeed 0.15.4, Mistral layers: 14 torch modules, 7 sharded and 2 persistent weights
// that are gathered again in backward): +612 per layer in forward, +719 in backward; README.md of
// this module has the method, the split and the spread.
constexpr int kModuleHookDispatches = 20;  // fetch and release around one torch module
constexpr int kGatherDispatches = 47;      // per weight gathered and released
constexpr int kGradientDispatches = 12;    // per gradient hook

class Zero3Loop final : public TrainingLoop {
 public:
  explicit Zero3Loop(const PlanInput& input)
      : TrainingLoop(input), cache_(make_cache()), weights_(numel_.size()) {}

 private:
  struct Weight {
    BufferId storage;
    std::size_t group = kNoGroup;  // gather under way
  };
  /// A gather under way: its flat buffer until the first member is needed.
  struct Group {
    std::vector<int> members;
    BufferId flat;
    EventId done;
  };
  static constexpr std::size_t kNoGroup = static_cast<std::size_t>(-1);

  bool persists(std::int64_t numel) const { return numel < defaults_.persistence_threshold; }

  ParamCache make_cache() {
    for (std::size_t m = 0; m < module_count(); ++m) {
      weight_of_.emplace_back();
      for (const model::ParamTensor& p : module(m).params) {
        const std::int64_t numel = p.numel();
        persistent_ += persists(numel) ? numel : 0;
        shard_ += shard_elements(numel, ranks());
        ++tensors_;
        weight_of_.back().push_back(persists(numel) ? -1 : static_cast<int>(numel_.size()));
        if (!persists(numel)) numel_.push_back(numel);
      }
    }
    return ParamCache(
        numel_, make_trace(),
        {defaults_.prefetch_bucket, defaults_.max_live, defaults_.max_reuse_distance});
  }

  std::vector<int> make_trace() const {
    std::vector<int> trace;
    const auto add = [&](std::size_t m, const std::vector<model::Row>& rows) {
      for (const model::Row& row : rows) {
        for (const int weight : sharded_reads(m, row)) trace.push_back(weight);
      }
    };
    for (std::size_t m = 0; m < module_count(); ++m) add(m, module(m).forward);
    for (std::size_t m = module_count(); m-- > 0;) add(m, module(m).backward);
    return trace;
  }

  void set_up() override {
    builder().alloc(MemoryCategory::kParameters, {kLowBytes * shard_}, "flat weight shard");
    builder().alloc(MemoryCategory::kParameters, {kLowBytes * persistent_}, "persistent weights");
    builder().alloc(MemoryCategory::kGradients, {kLowBytes * shard_}, "flat gradient shard");
    builder().alloc(MemoryCategory::kOptimizer, {kMasterBytes * shard_}, "fp32 master");
    builder().alloc(MemoryCategory::kCommunication, {kLowBytes * defaults_.reduce_bucket},
                    "reduce bucket");
    for (std::int64_t left = shard_; left > 0; left -= std::min(left, defaults_.sub_group)) {
      sub_groups_.push_back(std::min(left, defaults_.sub_group));
    }
    for (const std::int64_t elements : sub_groups_) {
      allocate_optimizer_states(builder(), {{{elements}}, training().optimizer, kMasterBytes});
    }
  }

  void begin_step(int step) override {
    traced_ = step > 0;
    cache_.begin_step();
  }

  void before_forward(std::size_t m) override { module_hooks(m); }
  void before_backward(std::size_t m) override { module_hooks(m); }

  /// Modules without weights run the hooks too, and each one prefetches.
  void module_hooks(std::size_t m) {
    builder().host_work(kModuleHookDispatches * module(m).submodules, "module hooks");
  }

  void before_row(std::size_t m, const model::Row& row) override {
    std::vector<int> missing;  // fetched together
    for (const int weight : sharded_reads(m, row)) {
      if (!cache_.must_fetch(weight)) continue;
      cache_.mark_present(weight);
      missing.push_back(weight);
    }
    gather(std::move(missing));
    for (const int weight : sharded_reads(m, row)) {
      arrive(weight);
      cache_.advance();
      if (traced_) gather(cache_.prefetch());
    }
  }

  std::vector<int> sharded_reads(std::size_t m, const model::Row& row) const {
    std::vector<int> weights;
    for (const int p : row.reads) {
      const int weight = weight_of_[m][static_cast<std::size_t>(p)];
      if (weight >= 0) weights.push_back(weight);
    }
    return weights;
  }

  void after_row(std::size_t m, const model::Row& row) override {
    for (const int weight : sharded_reads(m, row)) {
      if (!cache_.release(weight, traced_)) continue;
      builder().free(weights_[static_cast<std::size_t>(weight)].storage);
    }
  }

  void gather(std::vector<int> members) {
    if (members.empty()) return;
    std::int64_t padded = 0;
    for (const int w : members) {
      padded += shard_elements(numel_[static_cast<std::size_t>(w)], ranks()) * ranks();
    }
    builder().host_work(kGatherDispatches * static_cast<int>(members.size()), "gather weights");
    Group group{std::move(members), {}, {}};
    group.flat = builder().alloc(MemoryCategory::kGatheredParameters, {kLowBytes * padded},
                                 "gather buffer", StreamKind::kGather);
    group.done = collective(CollectiveKind::kAllGather, {kLowBytes * padded},
                            schedule::DType::kBFloat16, StreamKind::kGather, "all-gather weights");
    for (const int w : group.members) weights_[static_cast<std::size_t>(w)].group = groups_.size();
    groups_.push_back(std::move(group));
  }

  /// The compute stream gets the weight; its whole group is unpacked with it.
  void arrive(int weight) {
    const std::size_t g = weights_[static_cast<std::size_t>(weight)].group;
    if (g == kNoGroup) return;
    Group& group = groups_[g];
    for (const int w : group.members) weights_[static_cast<std::size_t>(w)].group = kNoGroup;
    limit_fetches(group.done);
    builder().wait(StreamKind::kCompute, group.done);
    if (group.members.size() == 1) {
      weights_[static_cast<std::size_t>(weight)].storage = group.flat;
      return;
    }
    for (const int w : group.members) {
      const Bytes bytes{kLowBytes * numel_[static_cast<std::size_t>(w)]};
      weights_[static_cast<std::size_t>(w)].storage =
          builder().alloc(MemoryCategory::kGatheredParameters, bytes, "unpacked weight");
      builder().compute(copy_kernel(bytes), 1, "unpack weight");
    }
    builder().free(group.flat);
  }

  /// The host may be only so many gathers ahead of the GPU.
  void limit_fetches(EventId done) {
    if (fetches_.size() > kFetchesInFlight) {
      builder().host_wait(fetches_.front());
      fetches_.pop_front();
    }
    fetches_.push_back(done);
  }

  void on_gradient(ParamRef ref, BufferId gradient) override {
    const std::int64_t numel = param(ref).numel();
    if (in_bucket_ > 0 && in_bucket_ + numel > defaults_.reduce_bucket) flush();
    order(StreamKind::kCompute, StreamKind::kReduce);
    in_bucket_ += numel;
    if (numel > defaults_.reduce_bucket) {  // reduced from where it is
      builder().host_work(kGradientDispatches, "gradient hook");
      oversized_ = gradient;
      return;
    }
    builder().compute(copy_kernel({kLowBytes * numel}), kGradientDispatches, "copy into bucket",
                      StreamKind::kReduce);
    builder().free(gradient);
  }

  void flush() {
    if (in_bucket_ == 0) return;
    if (reductions_.size() > kReductionsInFlight) {
      builder().host_wait(reductions_.front());
      reductions_.pop_front();
    }
    const Bytes bytes{kLowBytes * in_bucket_};
    BufferId flat = builder().alloc(MemoryCategory::kCommunication, bytes, "concatenated bucket",
                                    StreamKind::kReduce);
    builder().compute(copy_kernel(bytes), 1, "concatenate bucket", StreamKind::kReduce);
    builder().compute(copy_kernel(bytes), 1, "average bucket", StreamKind::kReduce);
    collective(CollectiveKind::kReduceScatter, bytes, schedule::DType::kBFloat16,
               StreamKind::kReduce, "reduce-scatter bucket");
    builder().compute(copy_kernel({bytes.value / ranks()}), 1, "keep own slice",
                      StreamKind::kReduce);
    builder().free(flat);
    builder().free(oversized_);
    reductions_.push_back(builder().record(StreamKind::kReduce));
    in_bucket_ = 0;
  }

  void finish_backward() override {
    flush();
    builder().host_wait(builder().record(StreamKind::kReduce));  // the epilogue synchronises
    reductions_.clear();
    fetches_.clear();
    groups_.clear();
  }

  void optimizer_step(int /*step*/) override {
    emit_fp64_norm(builder(), shard_, tensors_);
    order(StreamKind::kCompute, StreamKind::kReduce);
    builder().wait(StreamKind::kCompute,
                   collective(CollectiveKind::kAllReduce, {4}, schedule::DType::kFloat32,
                              StreamKind::kReduce, "all-reduce norm"));
    for (const std::int64_t elements : sub_groups_) {
      emit_partition_step(builder(), elements, training().optimizer, nullptr);
    }
    order(StreamKind::kCompute, StreamKind::kGather);
    builder().wait(StreamKind::kCompute,
                   collective(CollectiveKind::kAllGather, {kLowBytes * persistent_},
                              schedule::DType::kBFloat16, StreamKind::kGather,
                              "all-gather persistent weights"));
  }

  // Filled by make_cache(), so declared before cache_.
  DeepSpeedDefaults defaults_;
  std::vector<std::vector<int>> weight_of_;  // by module, by param: index of a sharded weight or -1
  std::vector<std::int64_t> numel_;          // by sharded weight
  std::int64_t persistent_ = 0;              // elements that stay whole
  std::int64_t shard_ = 0;                   // elements of one rank, every tensor cut by itself
  int tensors_ = 0;

  ParamCache cache_;
  std::vector<Weight> weights_;
  std::vector<Group> groups_;
  std::vector<std::int64_t> sub_groups_;
  std::deque<EventId> reductions_;
  std::deque<EventId> fetches_;
  BufferId oversized_;  // a gradient larger than the bucket, until its reduction
  std::int64_t in_bucket_ = 0;
  bool traced_ = false;
};

}  // namespace

schedule::Schedule plan_zero3(const PlanInput& input) {
  return Zero3Loop(input).build();
}

}  // namespace heddle::parallel
