// PyTorch FullyShardedDataParallel, version 1 (torch/distributed/fsdp, 2.5.1), wrapped as
// Accelerate does: one unit per transformer layer plus the root (embedding, final norm, head).
// Defaults are Accelerate's: FULL_SHARD, fp32 shards, bf16 gathers and reductions,
// limit_all_gathers on, no explicit prefetch.
//
// unshard   host waits for the free event of the unit before last (rate limiter, two in flight);
//           shard cast to bf16 (+2 P_u/N), all-gathered into the flat unit (+U = 2 P_u)
// forward   -U after the unit, except the root, which stays until its backward, and all with
//           SHARD_GRAD_OP; forward_prefetch gathers the next unit, from the second step on
// backward  unshard again; prefetch of the next unit before (pre) or after (post) a unit's own
//           backward; autograd concatenates the unit's gradients (+U, then per-tensor ones go);
//           -U weights; cast to the reduce type, padded, reduce-scatter (+P_u/N), cast to the
//           master type, -U
// hybrid    the shard is all-reduced among replicas, divided, cast and added on a stream of its own
//           (_reduce_grad, _all_reduce_stream): it may run beside the next unit's reduce-scatter
// NO_SHARD  nothing is gathered: a cast copy of the unit while it is used; gradients all-reduced.
//           One rank runs so whatever the strategy, as torch does
// frozen    a unit without trained tensors is only resharded after its backward; one with some
//           (use_orig_params) has a flat gradient of all of it
// streams   what crosses streams is freed with record_stream: gathered weights and sharded
// gradients
//           used by compute, flat gradients by the reduce stream. The host runs ahead, so up to two
//           units (the limiter's) or all of them (without it) are pending beside those in use
// All collectives share one NCCL stream, so a gather waits for the reduce-scatter issued before it.

#include <deque>
#include <utility>
#include <vector>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/strategies/flat_layout.h"
#include "sim/parallel/strategies/fsdp_loop.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::EventId;
using schedule::MemoryCategory;
using schedule::StreamKind;

constexpr std::size_t kRoot = 0;
constexpr std::size_t kInFlightGathers = 2;  // _FreeEventQueue in torch/distributed/fsdp
constexpr std::int64_t kAlignment = 16;      // bytes, _get_aligned_numel
// Host time of FSDP's Python hooks, in dispatches of an eager operator. Measured on the host alone
// (torch 2.5.1, one Mistral layer a unit, fake process group): +109 per unit in forward, +175 in
// backward; README.md of this module has the method and the split.
constexpr int kUnshardDispatches = 75;
constexpr int kReshardDispatches = 34;
constexpr int kReduceDispatches = 66;

class Fsdp1Loop final : public FsdpLoop {
 public:
  explicit Fsdp1Loop(const PlanInput& input)
      : FsdpLoop(input, FsdpWrap::kLayersAndRoot), weights_(units().size()) {
    const std::int64_t alignment = options().use_orig_params ? kAlignment / types().gather : 1;
    for (const FsdpUnit& unit : units()) {
      layouts_.push_back(flat_layout(graph(), unit, shards(), alignment));
    }
    set_optimizer_tensors(options().use_orig_params ? fullest_rank(layouts_, shards())
                                                    : flat_shards());
  }

 private:
  struct UnitWeights {
    BufferId flat;
    EventId arrived;
    bool ready = false;
  };

  std::vector<OptimizerTensor> flat_shards() const {
    std::vector<OptimizerTensor> tensors;
    for (std::size_t u = 0; u < units().size(); ++u) {
      if (trains(u)) tensors.push_back({shard_elements_of(u)});
    }
    return tensors;
  }

  bool trains(std::size_t u) const { return units()[u].trained > 0; }
  bool is_sharded() const { return shards() > 1; }
  std::int64_t shard_elements_of(std::size_t u) const override { return layouts_[u].shard; }
  std::int64_t reduced_elements_of(std::size_t u) const override { return layouts_[u].shard; }

  void release(BufferId& buffer, StreamKind user) override { builder().free_after(buffer, user); }

  void set_up() override { allocate_shards(); }

  void before_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    const bool arrives = !weights_[u].ready;
    use(u);
    if (arrives && options().forward_prefetch && !first_step()) prefetch(u + 1);
  }

  void after_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (u != kRoot && !keeps_weights_for_backward(options().sharding_strategy)) reshard(u);
  }

  void before_backward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    use(u);
    const bool begins = module == units()[u].modules.back();
    if (begins && options().backward_prefetch == BackwardPrefetch::kPre)
      prefetch(next_in_backward(u));
  }

  void prefetch(std::size_t u) {
    if (u < units().size() && !weights_[u].ready) unshard(u);
  }

  void use(std::size_t u) {
    if (!weights_[u].ready) unshard(u);
    builder().wait(StreamKind::kCompute, std::exchange(weights_[u].arrived, {}));
  }

  void unshard(std::size_t u) {
    builder().host_work(kUnshardDispatches, "unshard hooks");
    BufferId cast = cast_shard(u);
    limit_rate();
    weights_[u].ready = true;
    if (!is_sharded()) {  // the cast copy, if any, is the unit
      weights_[u].flat = cast;
      weights_[u].arrived = builder().record(StreamKind::kGather);
      return;
    }
    weights_[u].flat = builder().alloc(MemoryCategory::kGatheredParameters, unit_bytes(u),
                                       "unsharded unit", StreamKind::kGather);
    weights_[u].arrived = collective({CollectiveKind::kAllGather, shard_communicator(),
                                      unit_bytes(u), fsdp_dtype(types().gather)},
                                     StreamKind::kGather, "all-gather unit");
    builder().free(cast);
  }

  void limit_rate() {
    if (!options().limit_all_gathers || free_events_.size() < kInFlightGathers) return;
    builder().host_wait(free_events_.front());
    free_events_.pop_front();
  }

  /// The low-precision copy of the shard; nothing where the shard is gathered as it is.
  BufferId cast_shard(std::size_t u) {
    if (types().gather == types().master) return {};
    const BufferId cast =
        builder().alloc(MemoryCategory::kGatheredParameters, shard_bytes(u, types().gather),
                        "low-precision shard", StreamKind::kGather);
    builder().compute(memory_kernel(shard_bytes(u, types().master + types().gather)), 1,
                      "cast shard", StreamKind::kGather);
    return cast;
  }

  void reshard(std::size_t u) {
    builder().host_work(kReshardDispatches, "reshard hooks");
    release(weights_[u].flat, StreamKind::kCompute);
    weights_[u].ready = false;
    if (options().limit_all_gathers) free_events_.push_back(builder().record(StreamKind::kCompute));
  }

  void after_backward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module != units()[u].modules.front()) return;  // backward reaches it last
    if (trains(u)) return reduce(u);
    reshard(u);
    prefetch_after(u);
  }

  void prefetch_after(std::size_t u) {  // the root's backward ends last
    if (u != kRoot && options().backward_prefetch == BackwardPrefetch::kPost)
      prefetch(next_in_backward(u));
  }

  void reduce(std::size_t u) {
    builder().host_work(kReduceDispatches, "post-backward hooks");
    std::vector<BufferId> gradients{concatenate(u)};
    reshard(u);
    prefetch_after(u);
    order(StreamKind::kCompute, StreamKind::kReduce);
    cast_and_pad(u, gradients);
    // Divided by a power of two near sqrt(N) before the sum and by the rest after it.
    builder().compute(copy_kernel(reduced_bytes(u)), 1, "divide gradient", StreamKind::kReduce);
    if (is_sharded()) {
      reduce_to_shard(u);
    } else {
      reduce_whole(u, gradients.back());
    }
    builder().compute(copy_kernel(reduced_shard(u, types().reduce)), 1, "divide gradient shard",
                      reduced_stream());
    for (BufferId& gradient : gradients) release(gradient, StreamKind::kReduce);
  }

  BufferId concatenate(std::size_t u) {
    const Bytes bytes{types().gather * layouts_[u].elements};
    const BufferId flat =
        builder().alloc(copy_category(types().gather == types().reduce), bytes, "flat gradient");
    builder().compute(copy_kernel(bytes), 1, "concatenate gradients");
    free_full_gradients(u);
    return flat;
  }

  /// The last copy is the gradient itself where nothing is sharded or cast after it.
  MemoryCategory copy_category(bool is_last) const {
    const bool stays = !is_sharded() && is_last && types().reduce == types().master;
    return stays ? MemoryCategory::kGradients : MemoryCategory::kCommunication;
  }

  /// Each copy stays until the reduction is issued.
  void cast_and_pad(std::size_t u, std::vector<BufferId>& gradients) {
    const std::int64_t elements = layouts_[u].elements;
    if (types().reduce != types().gather) {
      gradients.push_back(builder().alloc(copy_category(true), {types().reduce * elements},
                                          "cast gradient", StreamKind::kReduce));
      builder().compute(memory_kernel({(types().gather + types().reduce) * elements}), 1,
                        "cast gradient", StreamKind::kReduce);
    }
    if (elements != layouts_[u].shard * shards()) {
      gradients.push_back(builder().alloc(MemoryCategory::kCommunication, reduced_bytes(u),
                                          "padded gradient", StreamKind::kReduce));
      builder().compute(copy_kernel(reduced_bytes(u)), 1, "pad gradient", StreamKind::kReduce);
    }
  }

  /// NO_SHARD: summed in place; what is left of it is the gradient.
  void reduce_whole(std::size_t u, BufferId& gradient) {
    set_last_reduction(collective(CollectiveKind::kAllReduce, reduced_bytes(u),
                                  fsdp_dtype(types().reduce), StreamKind::kReduce,
                                  "all-reduce unit"));
    keep_as_shard(u, std::exchange(gradient, {}));
  }

  void drop_reduced(BufferId& output) override { release(output, reduced_stream()); }
  void finish_backward() override { join_reductions(); }

  std::vector<FlatLayout> layouts_;   // by unit
  std::vector<UnitWeights> weights_;  // by unit
  std::deque<EventId> free_events_;
};

}  // namespace

schedule::Schedule plan_fsdp1(const PlanInput& input) {
  return Fsdp1Loop(input).build();
}

}  // namespace heddle::parallel
