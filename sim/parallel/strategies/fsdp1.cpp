// PyTorch FullyShardedDataParallel, version 1 (torch/distributed/fsdp), as Accelerate sets it up:
// FULL_SHARD, one unit per transformer layer plus the root (embedding, final norm, head), fp32
// shards, bf16 gathers and reductions, limit_all_gathers on, no explicit backward prefetch.
//
// unshard   host waits for the free event of the unit before last (rate limiter, two in flight);
//           shard cast to bf16 (+2 P_u/N), all-gathered into the flat unit (+U = 2 P_u)
// forward   -U after the unit, except the root, which stays until its backward
// backward  unshard again; autograd concatenates the unit's gradients (+U, then per-tensor ones
// go);
//           -U weights; reduce-scatter (+2 P_u/N), cast to fp32 (+4 P_u/N), -U, -2 P_u/N
// All collectives share one NCCL stream, so a gather waits for the reduce-scatter issued before it.

#include <deque>
#include <utility>
#include <vector>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/strategies/fsdp_loop.h"
#include "sim/parallel/strategies/sharding.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::EventId;
using schedule::MemoryCategory;
using schedule::StreamKind;

constexpr std::size_t kRoot = 0;
constexpr std::size_t kInFlightGathers = 2;  // _FreeEventQueue in torch/distributed/fsdp
// Host time of FSDP's Python hooks, in dispatches of an eager operator. Measured on the host alone
// (torch 2.5.1, one Mistral layer a unit, fake process group): +109 per unit in forward, +175 in
// backward; README.md of this module has the method and the split.
constexpr int kUnshardDispatches = 75;
constexpr int kReshardDispatches = 34;
constexpr int kReduceDispatches = 66;

class Fsdp1Loop final : public FsdpLoop {
 public:
  explicit Fsdp1Loop(const PlanInput& input)
      : FsdpLoop(input, FsdpWrap::kLayersAndRoot), gathered_(units().size()) {
    std::vector<OptimizerTensor> shards;
    for (std::size_t u = 0; u < units().size(); ++u) shards.push_back({shard_elements_of(u)});
    set_optimizer_tensors(std::move(shards));  // one flat parameter per unit
  }

 private:
  std::int64_t shard_elements_of(std::size_t u) const override {
    return shard_elements(units()[u].numel, ranks());
  }

  void set_up() override { allocate_shards(); }

  void before_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (!gathered_[u].valid()) unshard(u);
  }

  void after_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (u != kRoot) reshard(u);
  }

  void before_backward(std::size_t module) override { before_forward(module); }

  void unshard(std::size_t u) {
    builder().host_work(kUnshardDispatches, "unshard hooks");
    BufferId cast = cast_shard(u);
    limit_rate();
    gathered_[u] = builder().alloc(MemoryCategory::kGatheredParameters, unit_bytes(u),
                                   "unsharded unit", StreamKind::kGather);
    const EventId done = collective(CollectiveKind::kAllGather, unit_bytes(u), gather_dtype(),
                                    StreamKind::kGather, "all-gather unit");
    builder().free(cast);
    builder().wait(StreamKind::kCompute, done);
  }

  void limit_rate() {
    if (free_events_.size() < kInFlightGathers) return;
    builder().host_wait(free_events_.front());
    free_events_.pop_front();
  }

  /// The low-precision copy of the shard; nothing in fp32.
  BufferId cast_shard(std::size_t u) {
    if (gather_bytes() == kMasterBytes) return {};
    const BufferId cast =
        builder().alloc(MemoryCategory::kGatheredParameters, shard_bytes(u, gather_bytes()),
                        "low-precision shard", StreamKind::kGather);
    builder().compute(memory_kernel(shard_bytes(u, kMasterBytes + gather_bytes())), 1, "cast shard",
                      StreamKind::kGather);
    return cast;
  }

  void reshard(std::size_t u) {
    builder().host_work(kReshardDispatches, "reshard hooks");
    builder().free(gathered_[u]);
    free_events_.push_back(builder().record(StreamKind::kCompute));
  }

  void after_backward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module == units()[u].modules.front()) reduce(u);  // backward reaches it last
  }

  void reduce(std::size_t u) {
    builder().host_work(kReduceDispatches, "post-backward hooks");
    BufferId flat = builder().alloc(MemoryCategory::kCommunication, unit_bytes(u), "flat gradient");
    builder().compute(copy_kernel(unit_bytes(u)), 1, "concatenate gradients");
    free_full_gradients(u);
    reshard(u);
    order(StreamKind::kCompute, StreamKind::kReduce);
    // Divided by a power of two near sqrt(N) before the sum and by the rest after it.
    builder().compute(copy_kernel(unit_bytes(u)), 1, "divide gradient", StreamKind::kReduce);
    reduce_to_shard(u);
    builder().compute(copy_kernel(shard_bytes(u, gather_bytes())), 1, "divide gradient shard",
                      StreamKind::kReduce);
    builder().free(flat);
  }

  void finish_backward() override { order(StreamKind::kReduce, StreamKind::kCompute); }

  std::vector<BufferId> gathered_;  // by unit
  std::deque<EventId> free_events_;
};

}  // namespace

schedule::Schedule plan_fsdp1(const PlanInput& input) {
  return Fsdp1Loop(input).build();
}

}  // namespace heddle::parallel
