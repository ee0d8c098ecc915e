#include "sim/parallel/strategies/fsdp_loop.h"

#include <utility>

#include "sim/parallel/memory_kernels.h"

namespace heddle::parallel {

using schedule::BufferId;
using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::StreamKind;

FsdpLoop::FsdpLoop(const PlanInput& input, FsdpWrap wrap)
    : TrainingLoop(input),
      units_(fsdp_units(input.graph, wrap)),
      unit_of_module_(fsdp_unit_of_module(units_, input.graph.modules.size())),
      gather_bytes_(fsdp_gather_bytes(input.graph.compute.precision)),
      full_gradients_(units_.size()),
      sharded_gradients_(units_.size()) {}

Bytes FsdpLoop::unit_bytes(std::size_t unit) const {
  return shard_bytes(unit, gather_bytes_) * ranks();
}

Bytes FsdpLoop::shard_bytes(std::size_t unit, std::int64_t element) const {
  return {element * shard_elements_of(unit)};
}

void FsdpLoop::allocate_shards() {
  for (std::size_t u = 0; u < units_.size(); ++u) {
    builder().alloc(MemoryCategory::kParameters, shard_bytes(u, kMasterBytes), "shard");
  }
}

void FsdpLoop::set_optimizer_tensors(std::vector<OptimizerTensor> tensors) {
  optimizer_ = {std::move(tensors), training().optimizer, kMasterBytes};
}

void FsdpLoop::on_gradient(ParamRef ref, BufferId gradient) {
  full_gradients_[unit_of(ref.module)].push_back(gradient);
}

void FsdpLoop::free_full_gradients(std::size_t unit) {
  for (BufferId& gradient : full_gradients_[unit]) builder().free(gradient);
  full_gradients_[unit].clear();
}

void FsdpLoop::reduce_to_shard(std::size_t u) {
  const bool needs_cast = gather_bytes_ != kMasterBytes;
  BufferId output =
      builder().alloc(needs_cast ? MemoryCategory::kCommunication : MemoryCategory::kGradients,
                      shard_bytes(u, gather_bytes_), "reduce-scatter output", StreamKind::kReduce);
  last_reduction_ = collective(CollectiveKind::kReduceScatter, unit_bytes(u), gather_dtype(),
                               StreamKind::kReduce, "reduce-scatter unit");
  sharded_gradients_[u] = needs_cast ? cast_to_fp32(u, output) : output;
}

BufferId FsdpLoop::cast_to_fp32(std::size_t u, BufferId output) {
  const BufferId gradient =
      builder().alloc(MemoryCategory::kGradients, shard_bytes(u, kMasterBytes), "sharded gradient",
                      StreamKind::kReduce);
  builder().compute(memory_kernel(shard_bytes(u, kMasterBytes + gather_bytes_)), 1,
                    "cast gradient shard", StreamKind::kReduce);
  builder().free(output);
  return gradient;
}

void FsdpLoop::optimizer_step(int step) {
  if (training().gradient_clipping) {
    emit_gradient_norm(builder(), optimizer_);
    order(StreamKind::kCompute, StreamKind::kReduce);
    builder().wait(StreamKind::kCompute,
                   collective(CollectiveKind::kAllReduce, {4}, schedule::DType::kFloat32,
                              StreamKind::kReduce, "all-reduce gradient norm"));
    emit_gradient_scale(builder(), optimizer_);
  }
  if (step == 0) allocate_optimizer_states(builder(), optimizer_);
  emit_optimizer_step(builder(), optimizer_);
}

void FsdpLoop::zero_gradients() {
  for (BufferId& gradient : sharded_gradients_) builder().free(gradient);
}

}  // namespace heddle::parallel
