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

#include "sim/parallel/adam.h"
#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/strategies/fsdp.h"
#include "sim/parallel/strategies/sharding.h"
#include "sim/parallel/training_loop.h"

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

class Fsdp1Loop final : public TrainingLoop {
 public:
  explicit Fsdp1Loop(const PlanInput& input)
      : TrainingLoop(input), units_(fsdp_units(input.graph, FsdpWrap::kLayersAndRoot)) {
    state_.resize(units_.size());
    for (const FsdpUnit& unit : units_) {
      adam_.tensor_bytes.push_back({kMasterBytes * shard_elements(unit.numel, ranks())});
    }
    adam_.kernel = training().optimizer_kernel;
    gather_bytes_ = fsdp_gather_bytes(input.graph.precision);
  }

 private:
  struct UnitState {
    BufferId gathered;
    BufferId sharded_gradient;
    std::vector<BufferId> gradients;
  };

  static constexpr std::int64_t kMasterBytes = 4;  // shards, their gradients and moments are fp32

  bool weights_arrive_cast() const override { return gather_bytes_ == 2; }

  Bytes unit_bytes(std::size_t u) const {
    return {gather_bytes_ * shard_elements(units_[u].numel, ranks()) * ranks()};
  }
  Bytes shard_bytes(std::size_t u, std::int64_t element) const {
    return {element * shard_elements(units_[u].numel, ranks())};
  }
  std::size_t unit_of(std::size_t module) const { return fsdp_unit_of(units_, module); }

  void set_up() override {
    for (std::size_t u = 0; u < units_.size(); ++u) {
      builder().alloc(MemoryCategory::kParameters, shard_bytes(u, kMasterBytes), "flat shard");
    }
  }

  void before_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (!state_[u].gathered.valid()) unshard(u);
  }

  void after_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (u != kRoot) reshard(u);
  }

  void before_backward(std::size_t module) override { before_forward(module); }

  void unshard(std::size_t u) {
    builder().host_work(kUnshardDispatches, "unshard hooks");
    if (free_events_.size() >= kInFlightGathers) {
      builder().host_wait(free_events_.front());
      free_events_.pop_front();
    }
    BufferId cast;
    if (gather_bytes_ != kMasterBytes) {
      cast = builder().alloc(MemoryCategory::kGatheredParameters, shard_bytes(u, gather_bytes_),
                             "bf16 shard", StreamKind::kGather);
      builder().compute(memory_kernel(shard_bytes(u, kMasterBytes + gather_bytes_)), 1,
                        "cast shard", StreamKind::kGather);
    }
    state_[u].gathered = builder().alloc(MemoryCategory::kGatheredParameters, unit_bytes(u),
                                         "unsharded unit", StreamKind::kGather);
    const EventId gathered =
        collective(CollectiveKind::kAllGather, unit_bytes(u), fsdp_gather_dtype(gather_bytes_),
                   StreamKind::kGather, "all-gather unit");
    builder().free(cast);
    builder().wait(StreamKind::kCompute, gathered);
  }

  void reshard(std::size_t u) {
    builder().host_work(kReshardDispatches, "reshard hooks");
    builder().free(state_[u].gathered);
    free_events_.push_back(builder().record(StreamKind::kCompute));
  }

  void on_gradient(ParamRef ref, BufferId gradient) override {
    state_[unit_of(ref.module)].gradients.push_back(gradient);
  }

  void after_backward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module == units_[u].modules.front()) reduce(u);  // backward reaches it last
  }

  void reduce(std::size_t u) {
    builder().host_work(kReduceDispatches, "post-backward hooks");
    BufferId flat = builder().alloc(MemoryCategory::kCommunication, unit_bytes(u), "flat gradient");
    builder().compute(copy_kernel(unit_bytes(u)), 1, "concatenate gradients");
    for (BufferId& gradient : state_[u].gradients) builder().free(gradient);
    state_[u].gradients.clear();
    reshard(u);
    reduce_scatter(u);
    builder().free(flat);
  }

  void reduce_scatter(std::size_t u) {
    order(StreamKind::kCompute, StreamKind::kReduce);
    builder().compute(copy_kernel(unit_bytes(u)), 1, "divide gradient", StreamKind::kReduce);
    BufferId output = builder().alloc(MemoryCategory::kCommunication, shard_bytes(u, gather_bytes_),
                                      "reduce-scatter output", StreamKind::kReduce);
    collective(CollectiveKind::kReduceScatter, unit_bytes(u), fsdp_gather_dtype(gather_bytes_),
               StreamKind::kReduce, "reduce-scatter unit");
    state_[u].sharded_gradient =
        builder().alloc(MemoryCategory::kGradients, shard_bytes(u, kMasterBytes),
                        "sharded gradient", StreamKind::kReduce);
    builder().compute(memory_kernel(shard_bytes(u, kMasterBytes + gather_bytes_)), 1,
                      "cast gradient shard", StreamKind::kReduce);
    builder().free(output);
  }

  void finish_backward() override { order(StreamKind::kReduce, StreamKind::kCompute); }

  void optimizer_step(int step) override {
    emit_clipping();
    if (step == 0) allocate_adam_states(builder(), adam_);
    emit_adam_step(builder(), adam_);
  }

  void emit_clipping() {
    if (!training().gradient_clipping) return;
    emit_gradient_clipping(builder(), adam_);
    builder().wait(StreamKind::kCompute,
                   collective(CollectiveKind::kAllReduce, {4}, schedule::DType::kFloat32,
                              StreamKind::kReduce, "all-reduce gradient norm"));
  }

  void zero_gradients() override {
    for (UnitState& unit : state_) builder().free(unit.sharded_gradient);
  }

  std::vector<FsdpUnit> units_;
  std::vector<UnitState> state_;
  std::deque<EventId> free_events_;
  AdamWork adam_;
  std::int64_t gather_bytes_ = 2;
};

}  // namespace

schedule::Schedule plan_fsdp1(const PlanInput& input) {
  return Fsdp1Loop(input).build();
}

}  // namespace heddle::parallel
