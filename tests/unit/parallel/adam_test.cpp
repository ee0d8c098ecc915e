#include "sim/parallel/adam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace heddle::parallel {
namespace {

using schedule::OpKind;
using schedule::Schedule;

struct Measured {
  Bytes traffic;
  Bytes peak_temporary;
};

Measured step(OptimizerKernel kernel, std::vector<Bytes> tensors) {
  schedule::ScheduleBuilder builder(1);
  emit_adam_step(builder, {std::move(tensors), kernel, 4});
  const Schedule s = builder.finish(1);
  Measured m;
  Bytes live;
  for (const schedule::Op& op : s.programs[0].ops) {
    if (op.kind == OpKind::kCompute) m.traffic += s.kernels[op.arg].bytes;
    if (op.kind == OpKind::kAlloc) live += s.buffers[op.arg].bytes;
    if (op.kind == OpKind::kFree) live -= s.buffers[op.arg].bytes;
    m.peak_temporary = std::max(m.peak_temporary, live);
  }
  EXPECT_EQ(live, Bytes{});
  return m;
}

// Two tensors of 4096 and 8192 bytes, fp32: 3072 elements.
const std::vector<Bytes> kTensors{{4096}, {8192}};

TEST(Adam, ForeachMakesOneTemporaryOfEverythingAndMoves80BytesPerElement) {
  const Measured m = step(OptimizerKernel::kForeach, kTensors);
  EXPECT_EQ(m.peak_temporary, Bytes{12288});
  EXPECT_EQ(m.traffic, Bytes{80 * 3072});
}

TEST(Adam, FusedMakesNoTemporaryAndMoves28BytesPerElement) {
  const Measured m = step(OptimizerKernel::kFused, kTensors);
  EXPECT_EQ(m.peak_temporary, Bytes{0});
  EXPECT_EQ(m.traffic, Bytes{28 * 3072});
}

TEST(Adam, ForLoopHoldsOneTensorsTemporary) {
  const Measured m = step(OptimizerKernel::kForLoop, kTensors);
  EXPECT_EQ(m.peak_temporary, Bytes{8192});
}

TEST(Adam, StatesAreTwoMomentsOfTheTensorsSize) {
  schedule::ScheduleBuilder builder(1);
  allocate_adam_states(builder, {kTensors, OptimizerKernel::kForeach, 4});
  const Schedule s = builder.finish(1);
  Bytes total;
  for (const schedule::Buffer& buffer : s.buffers) total += buffer.bytes;
  EXPECT_EQ(total, Bytes{2 * 12288});
}

}  // namespace
}  // namespace heddle::parallel
