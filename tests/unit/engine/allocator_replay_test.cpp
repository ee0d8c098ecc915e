// Reserved memory of simulated ranks, on the numbers of small_run.h.

#include "sim/engine/allocator_replay.h"

#include <gtest/gtest.h>

#include "tests/unit/engine/small_run.h"

namespace heddle::engine {
namespace {

using schedule::BufferId;
using schedule::Mark;
using schedule::MemoryCategory;
using schedule::ScheduleBuilder;
using schedule::StreamKind;

constexpr std::int64_t kMiB = 1 << 20;

BufferId take(ScheduleBuilder& b, std::int64_t mib, StreamKind pool = StreamKind::kCompute) {
  return b.alloc(MemoryCategory::kTemporary, {mib * kMiB}, "block", pool);
}

AllocatorResult replayed(const SmallRun& run) {
  const RunResult result = run.run();
  EXPECT_TRUE(result.ranks.front().allocator);
  return result.ranks.front().allocator.value_or(AllocatorResult{});
}

/// A kernel of 10 us on the gather stream, issued at 1 us, runs from 4 to 14 us. The block that it
/// uses is freed at 1 us: a request then cannot have it, one at 21 us can.
TEST(AllocatorReplay, ARecordedStreamHoldsABlockUntilItsKernelIsDone) {
  for (const bool recorded : {false, true}) {
    ScheduleBuilder b(1);
    BufferId used = take(b, 16);
    b.compute(kernel_of(10), 1, "kernel", StreamKind::kGather);
    if (recorded) {
      b.free_after(used, StreamKind::kGather);
    } else {
      b.free(used);
    }
    take(b, 16);
    b.host_work(20, "python");
    take(b, 16);
    const AllocatorResult result = replayed(SmallRun(b.finish(0)));
    ASSERT_EQ(result.samples.size(), 4U);
    EXPECT_EQ(result.samples[1].allocated, Bytes{0});
    EXPECT_EQ(result.samples[1].active, recorded ? mebibytes(16) : Bytes{0});
    EXPECT_EQ(result.samples[1].time, at_us(1));
    EXPECT_EQ(result.samples[2].reserved, mebibytes(recorded ? 32 : 16));
    EXPECT_EQ(result.samples[2].active, mebibytes(recorded ? 32 : 16));
    EXPECT_EQ(result.samples[3].time, at_us(21));
    EXPECT_EQ(result.samples[3].active, mebibytes(32));
    EXPECT_EQ(result.peak_reserved.reserved, mebibytes(32));
    EXPECT_EQ(result.peak_reserved.op, recorded ? 3U : 5U);
  }
}

/// The same, but nothing is on the stream yet when the block is freed: what comes later is not
/// waited for.
TEST(AllocatorReplay, OnlyWhatTheStreamHoldsAtTheFreeCounts) {
  ScheduleBuilder b(1);
  BufferId used = take(b, 16);
  b.free_after(used, StreamKind::kGather);
  b.compute(kernel_of(10), 1, "kernel", StreamKind::kGather);
  take(b, 16);
  EXPECT_EQ(replayed(SmallRun(b.finish(0))).peak_reserved.reserved, mebibytes(16));
}

TEST(AllocatorReplay, PoolsOfStreamsAreApart) {
  ScheduleBuilder b(1);
  BufferId gathered = take(b, 16, StreamKind::kGather);
  b.free(gathered);
  take(b, 16);
  EXPECT_EQ(replayed(SmallRun(b.finish(0))).peak_reserved.reserved, mebibytes(32));
}

/// Of 40 MiB, 32 are taken when 16 more are wanted by op 2, at 0 us. What follows is still shown.
TEST(AllocatorReplay, NamesTheRequestThatFailsAndGoesOn) {
  ScheduleBuilder b(1);
  for (int i = 0; i < 3; ++i) take(b, 16);
  SmallRun run(b.finish(0));
  run.options.memory_limit = mebibytes(40);
  const AllocatorResult result = replayed(run);
  ASSERT_TRUE(result.out_of_memory);
  EXPECT_EQ(result.out_of_memory->state.op, 2U);
  EXPECT_EQ(result.out_of_memory->state.reserved, mebibytes(32));
  EXPECT_EQ(result.out_of_memory->requested, mebibytes(16));
  EXPECT_EQ(result.peak_reserved.reserved, mebibytes(48));
  EXPECT_EQ(result.retries, 0);
  run.options.memory_limit = mebibytes(48);
  EXPECT_FALSE(replayed(run).out_of_memory);
}

/// A cached 16 must go for 30 of 40.
TEST(AllocatorReplay, CountsRetries) {
  ScheduleBuilder b(1);
  BufferId first = take(b, 16);
  b.free(first);
  take(b, 30);
  SmallRun run(b.finish(0));
  run.options.memory_limit = mebibytes(40);
  const AllocatorResult result = replayed(run);
  EXPECT_FALSE(result.out_of_memory);
  EXPECT_EQ(result.retries, 1);
  EXPECT_EQ(result.peak_reserved.reserved, mebibytes(30));
}

/// 16 before the first step; step 0 adds and frees 24, step 1 uses 20 of that segment: the rest of
/// 4 is split off, so active is 36, while 40 stay reserved.
TEST(AllocatorReplay, PeaksByStepAndValuesAtMarks) {
  ScheduleBuilder b(1);
  take(b, 16);
  for (int step = 0; step < 2; ++step) {
    b.mark(Mark::Kind::kStepBegin, step);
    BufferId work = take(b, step == 0 ? 24 : 20);
    b.mark(Mark::Kind::kAfterOptimizer, step);
    b.free(work);
    b.mark(Mark::Kind::kStepEnd, step);
  }
  const AllocatorResult result = replayed(SmallRun(b.finish(2)));
  ASSERT_EQ(result.step_peak_active.size(), 2U);
  EXPECT_EQ(result.step_peak_active[0].active, mebibytes(40));
  EXPECT_EQ(result.step_peak_active[1].active, mebibytes(36));
  ASSERT_EQ(result.step_peak_reserved.size(), 2U);
  EXPECT_EQ(result.step_peak_reserved[1].reserved, mebibytes(40));
  EXPECT_EQ(result.peak_active.op, 2U);
  ASSERT_EQ(result.marks.size(), 6U);
  EXPECT_EQ(result.marks[0].reserved, mebibytes(16));
  EXPECT_EQ(result.marks[1].active, mebibytes(40));
  EXPECT_EQ(result.marks[5].active, mebibytes(16));
  EXPECT_EQ(result.marks[5].reserved, mebibytes(40));
}

TEST(AllocatorReplay, ChangesNoFingerprintAndCanBeLeftOut) {
  ScheduleBuilder b(1);
  BufferId used = take(b, 16);
  b.compute(kernel_of(10), 1, "kernel", StreamKind::kGather);
  b.free_after(used, StreamKind::kGather);
  SmallRun run(b.finish(0));
  const RunResult with = run.run();
  run.options.replay_allocator = false;
  run.options.memory_limit = mebibytes(1);
  const RunResult without = run.run();
  EXPECT_FALSE(without.ranks.front().allocator);
  EXPECT_EQ(with.fingerprint, without.fingerprint);
}

TEST(AllocatorReplay, FollowsTheConfiguration) {
  ScheduleBuilder b(1);
  for (int i = 0; i < 4; ++i) take(b, 11);
  SmallRun run(b.finish(0));
  EXPECT_EQ(replayed(run).peak_reserved.reserved, mebibytes(4 * 12));
  run.options.allocator.expandable_segments = true;
  EXPECT_EQ(replayed(run).peak_reserved.reserved, mebibytes(60));  // 44 in pages of 20
}

}  // namespace
}  // namespace heddle::engine
