// PyTorch FSDP, version 2 (torch/distributed/fsdp/_fully_shard, torch 2.8.0), wrapped as torchtitan
// does: embedding, each layer, and [final norm, head] are groups; the last is not resharded after
// forward (reshard_after_forward: True by default, False with SHARD_GRAD_OP: none is). fp32 shards,
// bf16 gathers and reductions by default, implicit backward prefetch of one group.
//
// unshard   gather output (+U, with this rank's bf16 shard inside it) filled on the gather stream;
//           copy-out to per-tensor weights (+U) on the compute stream
// forward   the gather output is freed before the next group's copy-out, weights after the group
//           (forward_prefetch: after the next group's gather output is asked for)
// backward  prefetch the next group, then compute; the gather output goes right after its copy-out
//           weights (-U); reduce-scatter input in the reduce type (+U, or 4 P_u in fp32, freed at
//           the next group's reduction), gradients (-U), output becomes the sharded gradient where
//           the reduce type is the shards' (else cast, +4 P_u/N)
// tied      a table that embedding and head share must be in one group: the root holds both, stays
//           after forward and is reduced last
// hybrid    the shard is all-reduced among replicas, cast and added on a stream of its own
//           (foreach_reduce, all_reduce_stream); in the reduce type it stays until backward ends
// frozen    tensors are gathered but have no part in the reduction
// optimizer in backward: a group's shards are stepped on the reduce stream once they are reduced
//           (post_accumulate_grad hooks run in foreach_reduce), and their gradient goes

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

FsdpWrap wrap_of(const PlanInput& input) {
  const bool root =
      input.graph.spec.tied_embeddings || input.options.fsdp.wrap == FsdpWrapping::kRoot;
  return root ? FsdpWrap::kLayersAndRoot : FsdpWrap::kEmbeddingLayersHead;
}

class Fsdp2Loop final : public FsdpLoop {
 public:
  explicit Fsdp2Loop(const PlanInput& input)
      : FsdpLoop(input, wrap_of(input)), state_(units().size()) {
    std::vector<OptimizerTensor> shards;
    for (std::size_t u = 0; u < units().size(); ++u) {
      for (const OptimizerTensor& tensor : trained_shards(u)) shards.push_back(tensor);
    }
    set_optimizer_tensors(std::move(shards));
  }

 private:
  struct UnitState {
    BufferId gather_output;
    BufferId weights;
    EventId gathered;
  };

  std::vector<OptimizerTensor> trained_shards(std::size_t u) const {
    std::vector<OptimizerTensor> shards;
    for (const std::size_t m : units()[u].modules) {
      for (const model::ParamTensor& p : module(m).params) {
        if (p.trainable) shards.push_back({padded_shard(p), optimizer_tensor(p).columns});
      }
    }
    return shards;
  }

  /// Elements of one rank's shard: dimension 0 is padded to a multiple of the ranks.
  std::int64_t padded_shard(const model::ParamTensor& p) const {
    const std::int64_t rows = p.shape.empty() ? 1 : p.shape.front();
    return rows == 0 ? 0 : shard_elements(rows, shards()) * (p.numel() / rows);
  }
  std::int64_t shard_elements_of(std::size_t u) const override {
    std::int64_t sum = 0;
    for (const std::size_t m : units()[u].modules) {
      for (const model::ParamTensor& p : module(m).params) sum += padded_shard(p);
    }
    return sum;
  }
  std::int64_t reduced_elements_of(std::size_t u) const override {
    std::int64_t sum = 0;
    for (const OptimizerTensor& tensor : trained_shards(u)) sum += tensor.elements;
    return sum;
  }
  bool stays_after_forward(std::size_t u) const {
    return keeps_weights_for_backward(options().sharding_strategy) || u == first_in_backward();
  }

  void set_up() override { allocate_shards(); }

  void before_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (state_[u].weights.valid()) return;
    if (!state_[u].gather_output.valid()) gather(u);
    builder().free(previous_output_);
    copy_out(u);
    previous_output_ = std::exchange(state_[u].gather_output, {});
    if (options().forward_prefetch && u + 1 < units().size()) gather(u + 1);
  }

  void after_forward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module == units()[u].modules.back() && !stays_after_forward(u)) reshard(u);
  }

  void begin_forward() override {
    FsdpLoop::begin_forward();
    in_forward_ = true;
  }

  void begin_backward() override {
    builder().free(previous_output_);
    in_forward_ = false;
  }

  void before_backward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module != units()[u].modules.back()) return;
    if (!state_[u].weights.valid()) {
      if (!state_[u].gather_output.valid()) gather(u);
      copy_out(u);
      builder().free(state_[u].gather_output);
    }
    const std::size_t next = next_in_backward(u);  // implicit prefetch
    if (next != kNoUnit && !is_held(next)) gather(next);
  }

  bool is_held(std::size_t u) const {
    return state_[u].weights.valid() || state_[u].gather_output.valid();
  }

  void gather(std::size_t u) {
    builder().host_work(kUnshardDispatches, "unshard hooks");
    // A gather must not overwrite what an earlier copy-out still reads, nor start before the
    // weights it replaces are released.
    builder().wait(StreamKind::kGather, copied_out_);
    builder().wait(StreamKind::kGather, std::exchange(resharded_, {}));
    state_[u].gather_output = builder().alloc(MemoryCategory::kGatheredParameters, unit_bytes(u),
                                              "all-gather output", StreamKind::kGather);
    builder().compute(memory_kernel(shard_bytes(u, types().master + types().gather)), 1, "copy in",
                      StreamKind::kGather);
    state_[u].gathered = collective({CollectiveKind::kAllGather, shard_communicator(),
                                     unit_bytes(u), fsdp_dtype(types().gather)},
                                    StreamKind::kGather, "all-gather unit");
  }

  void copy_out(std::size_t u) {
    builder().wait(StreamKind::kCompute, state_[u].gathered);
    state_[u].weights =
        builder().alloc(MemoryCategory::kGatheredParameters, unit_bytes(u), "unsharded weights");
    builder().compute(copy_kernel(unit_bytes(u)), 1, "copy out");
    copied_out_ = builder().record(StreamKind::kCompute);
  }

  void reshard(std::size_t u) {
    builder().host_work(kReshardDispatches, "reshard hooks");
    builder().free(state_[u].weights);
    if (in_forward_) resharded_ = builder().record(StreamKind::kCompute);
  }

  void after_backward(std::size_t module) override {
    const std::size_t u = unit_of(module);
    if (module == units()[u].modules.front()) reduce(u);
  }

  void reduce(std::size_t u) {
    builder().host_work(kReduceDispatches, "post-backward hooks");
    reshard(u);
    if (reduced_elements_of(u) == 0) return;
    builder().wait(StreamKind::kCompute, last_reduction());  // before its input is reused
    builder().free(reduce_input_);
    reduce_input_ =
        builder().alloc(MemoryCategory::kCommunication, reduced_bytes(u), "reduce-scatter input");
    const Bytes read = reduced_shard(u, types().gather) * shards();
    builder().compute(memory_kernel(read + reduced_bytes(u)), 1, "copy gradients in");
    free_full_gradients(u);
    order(StreamKind::kCompute, StreamKind::kReduce);
    reduce_to_shard(u);
    if (training().optimizer.in_backward) step_unit(u);
  }

  void step_unit(std::size_t u) {
    const OptimizerWork work{trained_shards(u), training().optimizer, types().master};
    if (first_step()) allocate_optimizer_states(builder(), work, reduced_stream());
    emit_optimizer_step(builder(), work, reduced_stream());
    drop_sharded_gradient(u);
  }

  void finish_backward() override {
    join_reductions();
    builder().free(reduce_input_);
    for (BufferId& output : all_reduced_) builder().free(output);
    all_reduced_.clear();
  }

  /// Among replicas it stays until the end of backward, lest a reduce-scatter of a later unit gets
  /// its memory while it is still summed.
  void drop_reduced(BufferId& output) override {
    if (!has_replicas()) return FsdpLoop::drop_reduced(output);
    all_reduced_.push_back(std::exchange(output, {}));
  }

  std::vector<UnitState> state_;
  BufferId previous_output_;
  BufferId reduce_input_;
  std::vector<BufferId> all_reduced_;  // AllReduceState of each unit
  EventId copied_out_;                 // the last copy-out
  EventId resharded_;                  // the last group's weights are released, in forward
  bool in_forward_ = true;
};

}  // namespace

schedule::Schedule plan_fsdp2(const PlanInput& input) {
  return Fsdp2Loop(input).build();
}

}  // namespace heddle::parallel
