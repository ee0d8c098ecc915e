#include "sim/parallel/optimizer.h"

#include <algorithm>

#include "sim/parallel/memory_kernels.h"
#include "sim/parallel/optimizer_rules.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::MemoryCategory;
using schedule::ScheduleBuilder;
using schedule::StreamKind;

constexpr int kClipNormAccesses = 1;   // read once for the norm
constexpr int kClipScaleAccesses = 2;  // read and write for the scale
// One multi-tensor launch takes at most so many tensors (of four lists) and so many elements: 320
// chunks of 65536 (ATen/native/cuda/MultiTensorApply.cuh, torch 2.5.1).
constexpr std::int64_t kTensorsPerLaunch = 36;
constexpr std::int64_t kElementsPerLaunch = 320 * 65536;
// Python around the multi-tensor calls, measured on the host alone: 3.4 us per parameter where an
// eager dispatch took 5.1 us (README.md).
constexpr double kDispatchesPerTensor = 3.4 / 5.1;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

int launches_per_pass(std::int64_t tensors, std::int64_t elements) {
  return static_cast<int>(std::max({std::int64_t{1}, ceil_div(tensors, kTensorsPerLaunch),
                                    ceil_div(elements, kElementsPerLaunch)}));
}

int python_dispatches(std::size_t tensors) {
  return static_cast<int>(static_cast<double>(tensors) * kDispatchesPerTensor);
}

int launches_of(const OptimizerWork& work) {
  return launches_per_pass(static_cast<std::int64_t>(work.tensors.size()), work.elements());
}

Bytes traffic_of(const OptimizerWork& work, const OptimizerTensor& tensor) {
  const StepPasses passes = step_passes(work.spec, tensor);
  return Bytes{work.element_bytes * tensor.elements} * passes.weights +
         state_access(work, tensor) * passes.states;
}

void allocate_temporaries(ScheduleBuilder& b, const OptimizerWork& work,
                          const OptimizerTensor& tensor, StreamKind stream,
                          std::vector<BufferId>& temporaries) {
  for (int i = 0; i < step_passes(work.spec, tensor).temporaries; ++i) {
    temporaries.push_back(b.alloc(MemoryCategory::kTemporary, state_access(work, tensor),
                                  step_name(work.spec) + " temporary", stream));
  }
}

void emit_multi_tensor(ScheduleBuilder& b, const OptimizerWork& work, StreamKind stream) {
  std::vector<BufferId> temporaries;
  Bytes traffic;
  for (const OptimizerTensor& tensor : work.tensors) {
    allocate_temporaries(b, work, tensor, stream, temporaries);
    traffic += traffic_of(work, tensor);
  }
  const int passes = step_passes(work.spec, work.tensors.front()).passes;
  b.compute(memory_kernel(traffic, passes * launches_of(work)),
            python_dispatches(work.tensors.size()) + passes, step_name(work.spec), stream);
  for (BufferId& buffer : temporaries) b.free(buffer);
}

void emit_tensor_by_tensor(ScheduleBuilder& b, const OptimizerWork& work, StreamKind stream) {
  for (const OptimizerTensor& tensor : work.tensors) {
    const StepPasses passes = step_passes(work.spec, tensor);
    std::vector<BufferId> temporaries;
    allocate_temporaries(b, work, tensor, stream, temporaries);
    b.compute(memory_kernel(traffic_of(work, tensor), passes.passes), passes.passes,
              step_name(work.spec), stream);
    for (int i = 0; i < passes.host_reads; ++i) b.host_wait(b.record(stream));
    for (BufferId& buffer : temporaries) b.free(buffer);
  }
}

}  // namespace

OptimizerTensor optimizer_tensor(const model::ParamTensor& param) {
  return {param.numel(), param.shape.size() > 1 ? param.shape.back() : 0};
}

std::int64_t OptimizerWork::elements() const {
  std::int64_t sum = 0;
  for (const OptimizerTensor& tensor : tensors) sum += tensor.elements;
  return sum;
}

Bytes OptimizerWork::bytes() const {
  return {element_bytes * elements()};
}

void allocate_optimizer_states(ScheduleBuilder& b, const OptimizerWork& work, StreamKind stream) {
  int launches = 0;
  Bytes filled;
  b.alloc(MemoryCategory::kOptimizer, shared_state(work.spec), "quantization tables", stream);
  for (const OptimizerTensor& tensor : work.tensors) {
    for (const StateTensor& state : state_tensors(work, tensor)) {
      if (!state.paged) b.alloc(MemoryCategory::kOptimizer, state.bytes, state.name, stream);
      filled += state.bytes;
      ++launches;
    }
  }
  b.compute(memory_kernel(filled, launches), launches, "zero moments", stream);
}

void emit_optimizer_step(ScheduleBuilder& b, const OptimizerWork& work, StreamKind stream) {
  if (work.tensors.empty()) return;
  if (steps_tensor_by_tensor(work.spec)) return emit_tensor_by_tensor(b, work, stream);
  emit_multi_tensor(b, work, stream);
}

void emit_gradient_norm(ScheduleBuilder& b, const OptimizerWork& work) {
  b.compute(memory_kernel(work.bytes() * kClipNormAccesses, launches_of(work)),
            python_dispatches(work.tensors.size()), "gradient norm");
}

void emit_gradient_scale(ScheduleBuilder& b, const OptimizerWork& work) {
  b.compute(memory_kernel(work.bytes() * kClipScaleAccesses, launches_of(work)), 1,
            "gradient scale");
}

void emit_gradient_zeros(ScheduleBuilder& b, const OptimizerWork& work) {
  b.compute(memory_kernel(work.bytes(), launches_of(work)), 1, "zero gradients");
}

}  // namespace heddle::parallel
