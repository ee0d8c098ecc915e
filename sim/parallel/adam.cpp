#include "sim/parallel/adam.h"

#include <algorithm>

#include "sim/parallel/memory_kernels.h"

namespace heddle::parallel {
namespace {

using schedule::BufferId;
using schedule::MemoryCategory;
using schedule::ScheduleBuilder;

// Element accesses per step, see the header.
constexpr int kForeachPasses = 8;
constexpr int kForeachAccesses = 20;
constexpr int kFusedAccesses = 7;
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

int launches_of(const AdamWork& work) {
  return launches_per_pass(static_cast<std::int64_t>(work.tensor_bytes.size()),
                           work.total().value / work.element_bytes);
}

void emit_foreach(ScheduleBuilder& b, const AdamWork& work) {
  const int launches = kForeachPasses * launches_of(work);
  std::vector<BufferId> roots;
  for (const Bytes bytes : work.tensor_bytes) {
    roots.push_back(b.alloc(MemoryCategory::kTemporary, bytes, "foreach sqrt(v)"));
  }
  b.compute(memory_kernel(work.total() * kForeachAccesses, launches),
            python_dispatches(work.tensor_bytes.size()) + kForeachPasses, "adam foreach");
  for (BufferId& root : roots) b.free(root);
}

void emit_for_loop(ScheduleBuilder& b, const AdamWork& work) {
  for (const Bytes bytes : work.tensor_bytes) {
    BufferId root = b.alloc(MemoryCategory::kTemporary, bytes, "sqrt(v)");
    b.compute(memory_kernel(bytes * kForeachAccesses, kForeachPasses), kForeachPasses,
              "adam for-loop");
    b.free(root);
  }
}

}  // namespace

Bytes AdamWork::total() const {
  Bytes sum;
  for (const Bytes bytes : tensor_bytes) sum += bytes;
  return sum;
}

void allocate_adam_states(ScheduleBuilder& b, const AdamWork& work) {
  for (const Bytes bytes : work.tensor_bytes) {
    b.alloc(MemoryCategory::kOptimizer, bytes, "exp_avg");
    b.alloc(MemoryCategory::kOptimizer, bytes, "exp_avg_sq");
  }
  const int launches = 2 * static_cast<int>(work.tensor_bytes.size());
  b.compute(memory_kernel(work.total() * 2, launches), launches, "zero moments");
}

void emit_adam_step(ScheduleBuilder& b, const AdamWork& work) {
  switch (work.kernel) {
    case OptimizerKernel::kForeach:
      return emit_foreach(b, work);
    case OptimizerKernel::kForLoop:
      return emit_for_loop(b, work);
    case OptimizerKernel::kFused: {
      b.compute(memory_kernel(work.total() * kFusedAccesses, launches_of(work)),
                python_dispatches(work.tensor_bytes.size()) + 1, "adam fused");
    }
  }
}

void emit_gradient_norm(ScheduleBuilder& b, const AdamWork& work) {
  b.compute(memory_kernel(work.total() * kClipNormAccesses, launches_of(work)),
            python_dispatches(work.tensor_bytes.size()), "gradient norm");
}

void emit_gradient_scale(ScheduleBuilder& b, const AdamWork& work) {
  b.compute(memory_kernel(work.total() * kClipScaleAccesses, launches_of(work)), 1,
            "gradient scale");
}

}  // namespace heddle::parallel
