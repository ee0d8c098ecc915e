#include "sim/parallel/optimizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace heddle::parallel {
namespace {

using schedule::OpKind;
using schedule::Schedule;

struct Measured {
  Bytes traffic;
  Bytes peak_temporary;
  std::size_t host_waits = 0;
};

Measured measure(const Schedule& s) {
  Measured m;
  Bytes live;
  for (const schedule::Op& op : s.programs[0].ops) {
    if (op.kind == OpKind::kCompute) m.traffic += s.kernels[op.arg].bytes;
    if (op.kind == OpKind::kAlloc) live += s.buffers[op.arg].bytes;
    if (op.kind == OpKind::kFree) live -= s.buffers[op.arg].bytes;
    if (op.kind == OpKind::kHostWait) ++m.host_waits;
    m.peak_temporary = std::max(m.peak_temporary, live);
  }
  EXPECT_EQ(live, Bytes{});
  return m;
}

Measured step(const OptimizerWork& work) {
  schedule::ScheduleBuilder builder(1);
  emit_optimizer_step(builder, work);
  return measure(builder.finish(1));
}

Bytes states(const OptimizerWork& work) {
  schedule::ScheduleBuilder builder(1);
  allocate_optimizer_states(builder, work);
  Bytes total;
  for (const schedule::Buffer& buffer : builder.finish(1).buffers) total += buffer.bytes;
  return total;
}

OptimizerSpec with(OptimizerKind kind, OptimizerKernel kernel,
                   StateType type = StateType::kAsWeights) {
  return {.kind = kind, .kernel = kernel, .states = type};
}

// Two tensors of 1024 and 2048 elements, 3072 in all; the second a matrix of 32 x 64.
OptimizerWork work(const OptimizerSpec& spec, std::int64_t element_bytes = 4) {
  return {{{1024, 0}, {2048, 64}}, spec, element_bytes};
}
OptimizerWork adamw(OptimizerKernel kernel) {
  return work(with(OptimizerKind::kAdamW, kernel));
}

TEST(AdamW, ForeachMakesOneTemporaryOfEverythingAndMoves80BytesPerElement) {
  const Measured m = step(adamw(OptimizerKernel::kForeach));
  EXPECT_EQ(m.peak_temporary, Bytes{12288});
  EXPECT_EQ(m.traffic, Bytes{80 * 3072});
}

TEST(AdamW, FusedMakesNoTemporaryAndMoves28BytesPerElement) {
  const Measured m = step(adamw(OptimizerKernel::kFused));
  EXPECT_EQ(m.peak_temporary, Bytes{0});
  EXPECT_EQ(m.traffic, Bytes{28 * 3072});
}

// (sqrt(v) / c).add_(eps): the quotient is made while the root is alive, so two of 8192 bytes.
TEST(AdamW, ForLoopHoldsOneTensorsRootAndQuotient) {
  const Measured m = step(adamw(OptimizerKernel::kForLoop));
  EXPECT_EQ(m.peak_temporary, Bytes{2 * 8192});
  EXPECT_EQ(m.traffic, Bytes{80 * 3072});
}

TEST(AdamW, StatesAreTwoMomentsOfTheTensorsSize) {
  EXPECT_EQ(states(adamw(OptimizerKernel::kForeach)), Bytes{2 * 12288});
}

// A step count on the GPU is a scalar, 512 bytes as the allocator rounds it.
TEST(AdamW, FusedAndCapturableKeepTheirStepCountsOnTheGpu) {
  EXPECT_EQ(states(adamw(OptimizerKernel::kFused)), Bytes{2 * 12288 + 2 * 512});
  OptimizerWork capturable = adamw(OptimizerKernel::kForeach);
  capturable.spec.capturable = true;
  EXPECT_EQ(states(capturable), Bytes{2 * 12288 + 2 * 512});
  EXPECT_EQ(step(capturable).traffic, Bytes{88 * 3072});  // 22 accesses: one more pass over t
}

// bf16 weights with fp32 moments: 6 accesses of 2 bytes, 14 of 4; t is fp32.
TEST(AdamW, StatesOfTheirOwnTypeCarryTheirOwnBytes) {
  const OptimizerWork mixed =
      work(with(OptimizerKind::kAdamW, OptimizerKernel::kForeach, StateType::kFloat32), 2);
  EXPECT_EQ(states(mixed), Bytes{2 * 12288});
  EXPECT_EQ(step(mixed).traffic, Bytes{(6 * 2 + 14 * 4) * 3072});
  EXPECT_EQ(step(mixed).peak_temporary, Bytes{12288});
}

TEST(Sgd, HoldsNothingAndMoves12BytesPerElement) {
  const OptimizerWork sgd = work(with(OptimizerKind::kSgd, OptimizerKernel::kForeach));
  EXPECT_EQ(states(sgd), Bytes{});
  EXPECT_EQ(step(sgd).peak_temporary, Bytes{});
  EXPECT_EQ(step(sgd).traffic, Bytes{12 * 3072});
}

// b*=mu (2), b+=g (3), p-=lr*b (3); fused reads p g b, writes p b.
TEST(Momentum, HoldsOneMoment) {
  const OptimizerWork foreach = work(with(OptimizerKind::kMomentum, OptimizerKernel::kForeach));
  EXPECT_EQ(states(foreach), Bytes{12288});
  EXPECT_EQ(step(foreach).traffic, Bytes{8 * 4 * 3072});
  EXPECT_EQ(step(work(with(OptimizerKind::kMomentum, OptimizerKernel::kFused))).traffic,
            Bytes{5 * 4 * 3072});
}

// The matrix of 32 x 64 keeps 32 and 64 sums (512 bytes each, rounded), the vector 4096 bytes.
// The vector's g*g and estimate are 2 x 4096 bytes, the matrix's estimate 8192.
TEST(Adafactor, KeepsRowsAndColumnsOfMatrices) {
  const OptimizerWork adafactor = work(with(OptimizerKind::kAdafactor, OptimizerKernel::kForLoop));
  EXPECT_EQ(states(adafactor), Bytes{512 + 512 + 4096});
  const Measured m = step(adafactor);
  EXPECT_EQ(m.peak_temporary, Bytes{8192});
  EXPECT_EQ(m.traffic, Bytes{4 * (19 * 1024 + 17 * 2048)});
  EXPECT_EQ(m.host_waits, 4U);
}

// 4096 elements: 1 byte per moment, 16 maxima in fp32 each (64 bytes, 512 rounded). 1024 elements:
// fp32. Tables: 2 KiB. p and g move 3 x 2 bytes, moments 4 x 1 or 4 x 4.
TEST(AdamW8bit, KeepsOneBytePerMomentAndSmallTensorsInFp32) {
  const OptimizerWork small{
      {{1024, 0}, {4096, 64}}, with(OptimizerKind::kAdamW8bit, OptimizerKernel::kForeach), 2};
  EXPECT_EQ(states(small), Bytes{2048 + 2 * 4096 + 2 * (4096 + 512)});
  EXPECT_EQ(step(small).traffic, Bytes{(6 + 16) * 1024 + (6 + 4) * 4096});
  EXPECT_EQ(step(small).peak_temporary, Bytes{});
}

// 100352 = 98 x 1024 elements: the moments are unified memory; 392 maxima (1568 bytes, 2048
// rounded) per moment stay.
TEST(PagedAdamW8bit, KeepsLargeMomentsOutsideTheAllocator) {
  const OptimizerWork paged{
      {{100'352, 0}}, with(OptimizerKind::kPagedAdamW8bit, OptimizerKernel::kForeach), 2};
  EXPECT_EQ(states(paged), Bytes{2048 + 2 * 2048});
}

TEST(Optimizers, CombinationsThatDoNotExistAreRefused) {
  using K = OptimizerKind;
  using I = OptimizerKernel;
  EXPECT_EQ(optimizer_problem(with(K::kAdafactor, I::kForLoop)), "");
  EXPECT_NE(optimizer_problem(with(K::kAdafactor, I::kForeach)), "");
  EXPECT_NE(optimizer_problem(with(K::kAdamW8bit, I::kFused)), "");
  EXPECT_NE(optimizer_problem(with(K::kAdamW8bit, I::kForeach, StateType::kFloat32)), "");
  EXPECT_NE(optimizer_problem({.kind = K::kSgd, .capturable = true}), "");
}

}  // namespace
}  // namespace heddle::parallel
