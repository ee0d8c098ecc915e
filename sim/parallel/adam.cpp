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
// Tensors one multi-tensor launch takes (kernel argument limit,
// ATen/native/cuda/MultiTensorApply.cuh).
constexpr int kTensorsPerLaunch = 36;

int launches_for(int tensors, int passes) {
  return passes * std::max(1, (tensors + kTensorsPerLaunch - 1) / kTensorsPerLaunch);
}

void emit_foreach(ScheduleBuilder& b, const AdamWork& work) {
  const int tensors = static_cast<int>(work.tensor_bytes.size());
  std::vector<BufferId> roots;
  for (const Bytes bytes : work.tensor_bytes) {
    roots.push_back(b.alloc(MemoryCategory::kTemporary, bytes, "foreach sqrt(v)"));
  }
  const int launches = launches_for(tensors, kForeachPasses);
  b.compute(memory_kernel(work.total() * kForeachAccesses, launches), launches, "adam foreach");
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
  const int tensors = static_cast<int>(work.tensor_bytes.size());
  switch (work.kernel) {
    case OptimizerKernel::kForeach:
      return emit_foreach(b, work);
    case OptimizerKernel::kForLoop:
      return emit_for_loop(b, work);
    case OptimizerKernel::kFused: {
      const int launches = launches_for(tensors, 1);
      b.compute(memory_kernel(work.total() * kFusedAccesses, launches), launches, "adam fused");
    }
  }
}

void emit_gradient_clipping(ScheduleBuilder& b, Bytes gradients, int tensors) {
  const int launches = launches_for(tensors, 2);
  b.compute(memory_kernel(gradients * kClipNormAccesses, launches), launches, "gradient norm");
  b.compute(memory_kernel(gradients * kClipScaleAccesses, launches), launches, "gradient scale");
}

}  // namespace heddle::parallel
