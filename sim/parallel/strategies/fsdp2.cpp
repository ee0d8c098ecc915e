// PyTorch FSDP, version 2 (torch/distributed/fsdp/_fully_shard: fully_shard), as Accelerate sets it
// up: embedding, each layer, and [final norm, head] are groups; the last is not resharded after
// forward. fp32 shards, bf16 gathers and reductions, implicit backward prefetch of one group.
//
// unshard   gather output (+U, with this rank's bf16 shard inside it) filled on the gather stream;
//           copy-out to per-tensor weights (+U) on the compute stream
// forward   the gather output is freed after the next group's copy-out, weights after the group
// backward  prefetch the next group, then compute; the gather output goes right after its copy-out
//           weights (-U); reduce-scatter input (+U, freed at the next group's reduction), gradients
//           (-U), output in fp32 (+4 P_u/N) becomes the sharded gradient

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

// Host time of FSDP's Python hooks, in dispatches of an eager operator. Measured on the host alone
// (torch 2.8.0): +143 per group in forward, +239 in backward; README.md of this module.
constexpr int kUnshardDispatches = 100;
constexpr int kReshardDispatches = 43;
constexpr int kReduceDispatches = 96;

class Fsdp2Loop final : public FsdpLoop {
 public:
  explicit Fsdp2Loop(const PlanInput& input)
      : FsdpLoop(input, FsdpWrap::kEmbeddingLayersHead), state_(units().size()) {
    std::vector<Bytes> shards;
    for (const FsdpUnit& unit : units()) {
      for (const std::size_t m : unit.modules) {
        for (const model::ParamTensor& p : module(m).params) {
          shards.push_back({kMasterBytes * padded_shard(p)});
        }
      }
    }
    set_optimizer_tensors(std::move(shards));
  }

 private:
  struct UnitState {
    BufferId gather_output;
    BufferId weights;
    EventId gathered;
  };

  /// Elements of one rank's shard: dimension 0 is padded to a multiple of the ranks.
  std::int64_t padded_shard(const model::ParamTensor& p) const {
    const std::int64_t rows = p.shape.empty() ? 1 : p.shape.front();
    return rows == 0 ? 0 : shard_elements(rows, ranks()) * (p.numel() / rows);
  }
  std::int64_t shard_elements_of(std::size_t u) const override {
    std::int64_t sum = 0;
    for (const std::size_t m : units()[u].modules) {
      for (const model::ParamTensor& p : module(m).params) sum += padded_shard(p);
    }
    return sum;
  }
  bool stays_after_forward(std::size_t u) const { return u + 1 == units().size(); }

  void set_up() override { allocate_shards(); }

  void before_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (state_[u].weights.valid()) return;
    gather(u);
    copy_out(u);
    builder().free(previous_output_);  // the group before is done with its output only now
    previous_output_ = std::exchange(state_[u].gather_output, {});
  }

  void after_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module == units()[u].modules.back() && !stays_after_forward(u)) reshard(u);
  }

  void begin_backward() override { builder().free(previous_output_); }

  void before_backward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module != units()[u].modules.back()) return;
    if (!state_[u].weights.valid()) {
      if (!state_[u].gather_output.valid()) gather(u);
      copy_out(u);
      builder().free(state_[u].gather_output);
    }
    if (u > 0 && !state_[u - 1].gather_output.valid()) gather(u - 1);  // implicit prefetch
  }

  void gather(std::size_t u) {
    builder().host_work(kUnshardDispatches, "unshard hooks");
    state_[u].gather_output = builder().alloc(MemoryCategory::kGatheredParameters, unit_bytes(u),
                                              "all-gather output", StreamKind::kGather);
    builder().compute(memory_kernel(shard_bytes(u, kMasterBytes + gather_bytes())), 1, "copy in",
                      StreamKind::kGather);
    state_[u].gathered = collective(CollectiveKind::kAllGather, unit_bytes(u), gather_dtype(),
                                    StreamKind::kGather, "all-gather unit");
  }

  void copy_out(std::size_t u) {
    builder().wait(StreamKind::kCompute, state_[u].gathered);
    state_[u].weights =
        builder().alloc(MemoryCategory::kGatheredParameters, unit_bytes(u), "unsharded weights");
    builder().compute(copy_kernel(unit_bytes(u)), 1, "copy out");
  }

  void reshard(std::size_t u) {
    builder().host_work(kReshardDispatches, "reshard hooks");
    builder().free(state_[u].weights);
  }

  void after_backward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module == units()[u].modules.front()) reduce(u);
  }

  void reduce(std::size_t u) {
    builder().host_work(kReduceDispatches, "post-backward hooks");
    reshard(u);
    builder().free(reduce_input_);  // held until the next group's reduction
    reduce_input_ =
        builder().alloc(MemoryCategory::kCommunication, unit_bytes(u), "reduce-scatter input");
    builder().compute(copy_kernel(unit_bytes(u)), 1, "copy gradients in");
    free_full_gradients(u);
    order(StreamKind::kCompute, StreamKind::kReduce);
    reduce_to_shard(u);
  }

  void finish_backward() override {
    order(StreamKind::kReduce, StreamKind::kCompute);
    builder().free(reduce_input_);
  }

  std::vector<UnitState> state_;
  BufferId previous_output_;
  BufferId reduce_input_;
};

}  // namespace

schedule::Schedule plan_fsdp2(const PlanInput& input) {
  return Fsdp2Loop(input).build();
}

}  // namespace heddle::parallel
