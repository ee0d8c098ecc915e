#include <gtest/gtest.h>

#include "tests/unit/engine/small_run.h"

namespace heddle::engine {
namespace {

using schedule::Mark;
using schedule::ScheduleBuilder;
using schedule::StreamKind;

void expect_parts(const StepAccounting& step, std::int64_t compute, std::int64_t exposed_comm,
                  std::int64_t host, std::int64_t other) {
  EXPECT_EQ(step.compute, microseconds(compute));
  EXPECT_EQ(step.exposed_comm, microseconds(exposed_comm));
  EXPECT_EQ(step.host, microseconds(host));
  EXPECT_EQ(step.other, microseconds(other));
  EXPECT_EQ(step.step, microseconds(compute + exposed_comm + host + other));
}

// k1 issued at 1: 4..24. Gather issued at 6 (1 + 4 more), arrives 9, 2 + 30: ends 41. k2, issued
// at 7, could run at 24 and waits until 41; ends 46, the step's end.
TEST(Accounting, WaitingForACollectiveIsExposed) {
  ScheduleBuilder b(2);
  b.mark(Mark::Kind::kStepBegin, 0);
  b.compute(kernel_of(20), 1, "k1");
  b.collective(all_reduce_of(30'000), 1, "gather", StreamKind::kGather);
  b.wait(StreamKind::kCompute, b.record(StreamKind::kGather));
  b.compute(kernel_of(5), 1, "k2");
  b.mark(Mark::Kind::kStepEnd, 0);
  const RankResult rank = SmallRun(b.finish(1)).run().ranks.at(0);
  ASSERT_EQ(rank.steps.size(), 1U);
  expect_parts(rank.steps[0], 25, 17, 4, 0);
}

// Two steps that wait for their kernel: the host spends 50 us before it issues each.
TEST(Accounting, TimeBetweenStepsIsTheHosts) {
  ScheduleBuilder b(1);
  for (int step = 0; step < 2; ++step) {
    b.mark(Mark::Kind::kStepBegin, step);
    b.compute(kernel_of(20), 1, "k");
    b.host_wait(b.record(StreamKind::kCompute));
    b.mark(Mark::Kind::kStepEnd, step);
  }
  SmallRun run(b.finish(2));
  run.per_step = microseconds(50);
  // 50 + 1 of dispatch + 3 to launch; the kernel's end is the step's.
  const RunResult result = run.run();
  for (const StepAccounting& step : result.ranks.at(0).steps) expect_parts(step, 20, 0, 54, 0);
}

// The same with a cast (6 us) on the gather stream behind the collective: waited for as well, 47.
TEST(Accounting, WorkBehindACollectiveOnItsStreamIsExposedToo) {
  ScheduleBuilder b(2);
  b.mark(Mark::Kind::kStepBegin, 0);
  b.compute(kernel_of(20), 1, "k1");
  b.collective(all_reduce_of(30'000), 1, "gather", StreamKind::kGather);
  b.compute(kernel_of(6), 0, "cast", StreamKind::kGather);
  b.wait(StreamKind::kCompute, b.record(StreamKind::kGather));
  b.compute(kernel_of(5), 1, "k2");
  b.mark(Mark::Kind::kStepEnd, 0);
  expect_parts(SmallRun(b.finish(1)).run().ranks.at(0).steps.at(0), 25, 23, 4, 0);
}

// Kernel 4..24 on the gather stream, k2 issued at 2 could start at 5: waits 19, not for a
// collective.
TEST(Accounting, WaitingForAKernelElsewhereIsOther) {
  ScheduleBuilder b(2);
  b.mark(Mark::Kind::kStepBegin, 0);
  b.compute(kernel_of(20), 1, "k1", StreamKind::kGather);
  b.wait(StreamKind::kCompute, b.record(StreamKind::kGather));
  b.compute(kernel_of(5), 1, "k2");
  b.mark(Mark::Kind::kStepEnd, 0);
  expect_parts(SmallRun(b.finish(1)).run().ranks.at(0).steps.at(0), 5, 0, 5, 19);
}

// k1 4..24; the collective on the compute stream (issued at 6) runs 24..56, k2 56..61.
TEST(Accounting, CollectiveOnTheComputeStreamIsExposed) {
  ScheduleBuilder b(2);
  b.mark(Mark::Kind::kStepBegin, 0);
  b.compute(kernel_of(20), 1, "k1");
  b.collective(all_reduce_of(30'000), 1, "reduce", StreamKind::kCompute);
  b.compute(kernel_of(5), 1, "k2");
  b.mark(Mark::Kind::kStepEnd, 0);
  expect_parts(SmallRun(b.finish(1)).run().ranks.at(0).steps.at(0), 25, 32, 4, 0);
}

// Per step: kernel k, then a reduction behind it. Step 0: k issued at 1, 4..14; reduction issued
// at 5, 14..46 (2 + 30). The host waits until 46 and only then begins step 1: k issued at 47,
// 50..60, reduction 60..92. The host's wait is the collective's fault, 46..50 is its own.
TEST(Accounting, StepsWithASynchronisedEnd) {
  ScheduleBuilder b(2);
  for (int step = 0; step < 2; ++step) {
    b.mark(Mark::Kind::kStepBegin, step);
    b.compute(kernel_of(10), 1, "k");
    b.wait(StreamKind::kReduce, b.record(StreamKind::kCompute));
    b.collective(all_reduce_of(30'000), 0, "reduce", StreamKind::kReduce);
    b.host_wait(b.record(StreamKind::kReduce));
    b.mark(Mark::Kind::kStepEnd, step);
  }
  const RankResult rank = SmallRun(b.finish(2)).run().ranks.at(0);
  ASSERT_EQ(rank.steps.size(), 2U);
  expect_parts(rank.steps[0], 10, 32, 4, 0);
  expect_parts(rank.steps[1], 10, 32, 4, 0);
  EXPECT_EQ(rank.steps[1].begin, at_us(46));
  EXPECT_EQ(rank.marks.at(1), at_us(46));
}

// Without synchronisation the host is through at once; a step ends when its work does: the kernel
// of step 0 at 14, that of step 1 at 24.
TEST(Accounting, StepsOfAHostThatRunsAhead) {
  ScheduleBuilder b(2);
  for (int step = 0; step < 2; ++step) {
    b.mark(Mark::Kind::kStepBegin, step);
    b.compute(kernel_of(10), 1, "k");
    b.mark(Mark::Kind::kStepEnd, step);
  }
  const RankResult rank = SmallRun(b.finish(2)).run().ranks.at(0);
  expect_parts(rank.steps.at(0), 10, 0, 4, 0);
  expect_parts(rank.steps.at(1), 10, 0, 0, 0);
}

}  // namespace
}  // namespace heddle::engine
