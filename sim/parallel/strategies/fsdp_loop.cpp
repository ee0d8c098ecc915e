#include "sim/parallel/strategies/fsdp_loop.h"

#include <utility>

#include "sim/parallel/memory_kernels.h"

namespace heddle::parallel {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::StreamKind;

FsdpLoop::FsdpLoop(const PlanInput& input, FsdpWrap wrap)
    : TrainingLoop(input, fsdp_communicators(input)),
      options_(input.options.fsdp),
      types_(fsdp_types(input.options.fsdp, input.graph.compute.precision)),
      groups_(fsdp_groups(input)),
      units_(fsdp_units(input.graph, wrap)),
      unit_of_module_(fsdp_unit_of_module(units_, input.graph.modules.size())),
      full_gradients_(units_.size()),
      sharded_gradients_(units_.size()) {}

std::size_t FsdpLoop::next_in_backward(std::size_t unit) const {
  const bool root_first = first_in_backward() == 0;
  if (unit == 0) return root_first && units_.size() > 1 ? units_.size() - 1 : kNoUnit;
  return root_first && unit == 1 ? kNoUnit : unit - 1;
}

Bytes FsdpLoop::unit_bytes(std::size_t unit) const {
  return shard_bytes(unit, types_.gather) * shards();
}

Bytes FsdpLoop::shard_bytes(std::size_t unit, std::int64_t element) const {
  return {element * shard_elements_of(unit)};
}

Bytes FsdpLoop::reduced_bytes(std::size_t unit) const {
  return reduced_shard(unit, types_.reduce) * shards();
}

Bytes FsdpLoop::reduced_shard(std::size_t unit, std::int64_t element) const {
  return {element * reduced_elements_of(unit)};
}

void FsdpLoop::allocate_shards() {
  for (std::size_t u = 0; u < units_.size(); ++u) {
    builder().alloc(MemoryCategory::kParameters, shard_bytes(u, types_.master), "shard");
  }
}

void FsdpLoop::set_optimizer_tensors(std::vector<OptimizerTensor> tensors) {
  optimizer_ = {std::move(tensors), training().optimizer, types_.master};
}

/// Gathers must not read shards that the optimizer still writes.
void FsdpLoop::begin_forward() {
  order(StreamKind::kCompute, StreamKind::kGather);
}

void FsdpLoop::on_gradient(ParamRef ref, BufferId gradient) {
  full_gradients_[unit_of(ref.module)].push_back(gradient);
}

void FsdpLoop::free_full_gradients(std::size_t unit) {
  for (BufferId& gradient : full_gradients_[unit]) builder().free(gradient);
  full_gradients_[unit].clear();
}

void FsdpLoop::reduce_to_shard(std::size_t u) {
  const bool stays = types_.reduce == types_.master;
  const BufferId output = builder().alloc(
      stays ? MemoryCategory::kGradients : MemoryCategory::kCommunication,
      reduced_shard(u, types_.reduce), "reduce-scatter output", StreamKind::kReduce);
  last_reduction_ = collective({CollectiveKind::kReduceScatter, shard_communicator(),
                                reduced_bytes(u), fsdp_dtype(types_.reduce)},
                               StreamKind::kReduce, "reduce-scatter unit");
  if (has_replicas()) {
    order(StreamKind::kReduce, StreamKind::kReplicate);
    collective({CollectiveKind::kAllReduce, kReplicateCommunicator, reduced_shard(u, types_.reduce),
                fsdp_dtype(types_.reduce)},
               StreamKind::kReplicate, "all-reduce shard");
  }
  keep_as_shard(u, output);
}

void FsdpLoop::join_reductions() {
  order(StreamKind::kReduce, StreamKind::kCompute);
  if (has_replicas()) order(StreamKind::kReplicate, StreamKind::kCompute);
}

void FsdpLoop::keep_as_shard(std::size_t u, BufferId gradient) {
  if (types_.reduce != types_.master) gradient = cast_to_master(u, gradient);
  if (sharded_gradients_[u].valid()) {
    accumulate(gradient, reduced_shard(u, types_.master), reduced_stream());
  } else {
    sharded_gradients_[u] = gradient;
  }
}

BufferId FsdpLoop::cast_to_master(std::size_t u, BufferId output) {
  const BufferId gradient =
      builder().alloc(MemoryCategory::kGradients, reduced_shard(u, types_.master),
                      "sharded gradient", reduced_stream());
  builder().compute(memory_kernel(reduced_shard(u, types_.master + types_.reduce)), 1,
                    "cast gradient shard", reduced_stream());
  drop_reduced(output);
  return gradient;
}

void FsdpLoop::optimizer_step(int step) {
  if (training().optimizer.in_backward) return;
  if (training().gradient_clipping) {
    emit_gradient_norm(builder(), optimizer_);
    all_reduce_scalar(shard_communicator(), "all-reduce gradient norm");
    emit_gradient_scale(builder(), optimizer_);
  }
  if (step == 0) allocate_optimizer_states(builder(), optimizer_);
  emit_optimizer_step(builder(), optimizer_);
}

void FsdpLoop::zero_gradients() {
  if (!training().zero_to_none) return emit_gradient_zeros(builder(), optimizer_);
  for (BufferId& gradient : sharded_gradients_) release(gradient, StreamKind::kCompute);
}

}  // namespace heddle::parallel
