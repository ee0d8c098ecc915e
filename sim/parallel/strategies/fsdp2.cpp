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

// Host time of FSDP's Python hooks, in dispatches of an eager operator. Measured on the host alone
// (torch 2.8.0): +143 per group in forward, +239 in backward; README.md of this module.
constexpr int kUnshardDispatches = 100;
constexpr int kReshardDispatches = 43;
constexpr int kReduceDispatches = 96;

class Fsdp2Loop final : public TrainingLoop {
 public:
  explicit Fsdp2Loop(const PlanInput& input)
      : TrainingLoop(input), units_(fsdp_units(input.graph, FsdpWrap::kEmbeddingLayersHead)) {
    state_.resize(units_.size());
    gather_bytes_ = fsdp_gather_bytes(input.graph.precision);
    for (const FsdpUnit& unit : units_) {
      for (const std::size_t m : unit.modules) {
        for (const model::ParamTensor& p : module(m).params) {
          adam_.tensor_bytes.push_back({kMasterBytes * padded_shard(p)});
        }
      }
    }
    adam_.kernel = training().optimizer_kernel;
  }

 private:
  struct UnitState {
    BufferId gather_output;
    BufferId weights;
    EventId gathered;
    BufferId sharded_gradient;
    std::vector<BufferId> gradients;
  };

  static constexpr std::int64_t kMasterBytes = 4;

  bool weights_arrive_cast() const override { return gather_bytes_ == 2; }

  /// Elements of one rank's shard: dimension 0 is padded to a multiple of the ranks.
  std::int64_t padded_shard(const model::ParamTensor& p) const {
    const std::int64_t rows = p.shape.empty() ? 1 : p.shape.front();
    return rows == 0 ? 0 : shard_elements(rows, ranks()) * (p.numel() / rows);
  }
  std::int64_t unit_shard(std::size_t u) const {
    std::int64_t sum = 0;
    for (const std::size_t m : units_[u].modules) {
      for (const model::ParamTensor& p : module(m).params) sum += padded_shard(p);
    }
    return sum;
  }
  Bytes unit_bytes(std::size_t u) const { return {gather_bytes_ * unit_shard(u) * ranks()}; }
  Bytes shard_bytes(std::size_t u, std::int64_t element) const { return {element * unit_shard(u)}; }
  std::size_t unit_of(std::size_t module) const { return fsdp_unit_of(units_, module); }
  bool stays_after_forward(std::size_t u) const { return u + 1 == units_.size(); }

  void set_up() override {
    for (std::size_t u = 0; u < units_.size(); ++u) {
      builder().alloc(MemoryCategory::kParameters, shard_bytes(u, kMasterBytes), "shards");
    }
  }

  void before_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (state_[u].weights.valid()) return;
    gather(u);
    copy_out(u);
    builder().free(previous_output_);  // the group before is done with its output only now
    previous_output_ = state_[u].gather_output;
    state_[u].gather_output = {};
  }

  void after_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module == units_[u].modules.back() && !stays_after_forward(u)) reshard(u);
  }

  void begin_backward() override { builder().free(previous_output_); }

  void before_backward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module != units_[u].modules.back()) return;
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
    builder().compute(memory_kernel(shard_bytes(u, kMasterBytes + gather_bytes_)), 1, "copy in",
                      StreamKind::kGather);
    state_[u].gathered =
        collective(CollectiveKind::kAllGather, unit_bytes(u), fsdp_gather_dtype(gather_bytes_),
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

  void on_gradient(ParamRef ref, BufferId gradient) override {
    state_[unit_of(ref.module)].gradients.push_back(gradient);
  }

  void after_backward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module == units_[u].modules.front()) reduce(u);
  }

  void reduce(std::size_t u) {
    builder().host_work(kReduceDispatches, "post-backward hooks");
    reshard(u);
    builder().free(reduce_input_);  // held until the next group's reduction
    reduce_input_ =
        builder().alloc(MemoryCategory::kCommunication, unit_bytes(u), "reduce-scatter input");
    builder().compute(copy_kernel(unit_bytes(u)), 1, "copy gradients in");
    for (BufferId& gradient : state_[u].gradients) builder().free(gradient);
    state_[u].gradients.clear();
    order(StreamKind::kCompute, StreamKind::kReduce);
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

  void finish_backward() override {
    order(StreamKind::kReduce, StreamKind::kCompute);
    builder().free(reduce_input_);
  }

  void optimizer_step(int step) override {
    if (training().gradient_clipping) {
      emit_gradient_clipping(builder(), adam_);
      builder().wait(StreamKind::kCompute,
                     collective(CollectiveKind::kAllReduce, {4}, schedule::DType::kFloat32,
                                StreamKind::kReduce, "all-reduce gradient norm"));
    }
    if (step == 0) allocate_adam_states(builder(), adam_);
    emit_adam_step(builder(), adam_);
  }

  void zero_gradients() override {
    for (UnitState& unit : state_) builder().free(unit.sharded_gradient);
  }

  std::vector<FsdpUnit> units_;
  std::vector<UnitState> state_;
  BufferId previous_output_;
  BufferId reduce_input_;
  AdamWork adam_;
  std::int64_t gather_bytes_ = 2;
};

}  // namespace

schedule::Schedule plan_fsdp2(const PlanInput& input) {
  return Fsdp2Loop(input).build();
}

}  // namespace heddle::parallel
