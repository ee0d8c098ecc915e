// What ranks measured as a RunResult: times and memory written down by hand.

#include "validator/execute/measured_result.h"

#include <gtest/gtest.h>

#include "sim/schedule/schedule_builder.h"

namespace heddle::execute {
namespace {

using schedule::Mark;
using schedule::StreamKind;

/// Ops 0 begin, 1 alloc, 2 compute, 3 collective, 4 end, 5 begin, 6 compute, 7 free, 8 end.
schedule::Schedule two_steps() {
  schedule::ScheduleBuilder b(2);
  schedule::Kernel k;
  k.bytes = {64};
  b.mark(Mark::Kind::kStepBegin, 0);
  schedule::BufferId x = b.alloc(schedule::MemoryCategory::kGradients, {512}, "x");
  b.compute(k, 1, "k");
  b.collective({schedule::CollectiveKind::kAllReduce, b.world(), {64}}, 1, "c",
               StreamKind::kReduce);
  b.mark(Mark::Kind::kStepEnd, 0);
  b.mark(Mark::Kind::kStepBegin, 1);
  b.compute(k, 1, "k");
  b.free(x);
  b.mark(Mark::Kind::kStepEnd, 1);
  return b.finish(2);
}

RankRun run_of(std::int64_t start) {
  RankRun run;
  run.start_ns = start;
  run.ops = {{2, StreamKind::kCompute, 1100, 1300},
             {6, StreamKind::kCompute, 1500, 1900},
             {3, StreamKind::kReduce, 1200, 1400}};
  run.marks_ns = {1010, 1020, 1030, 1040};
  MemoryPoint after_alloc{1, {}, {}, {}};
  after_alloc.count.allocated[static_cast<std::size_t>(schedule::MemoryCategory::kGradients)] = {
      512};
  run.memory = {after_alloc, {7, {}, {}, {}}};
  return run;
}

/// Zero is where the last rank began: 1000 ns.
TEST(MeasuredResult, CountsFromTheLastStart) {
  const std::vector<RankRun> runs{run_of(900), run_of(1000)};
  const engine::RunResult result = measured_result(two_steps(), runs);
  ASSERT_EQ(result.ranks.size(), 2U);
  EXPECT_EQ(result.ranks[0].intervals[0].start, SimTime{} + nanoseconds(100));
  EXPECT_EQ(result.ranks[1].marks[3], SimTime{} + nanoseconds(40));
  EXPECT_EQ(result.end, SimTime{} + nanoseconds(900));
}

/// Step 0 runs from its mark at 10 to the end of the collective at 400, step 1 from there to 900.
TEST(MeasuredResult, StepsTileTheRun) {
  const std::vector<RankRun> runs{run_of(1000), run_of(1000)};
  const engine::RankResult rank = measured_result(two_steps(), runs).ranks[0];
  ASSERT_EQ(rank.steps.size(), 2U);
  EXPECT_EQ(rank.steps[0].begin, SimTime{} + nanoseconds(10));
  EXPECT_EQ(rank.steps[0].step, nanoseconds(390));
  EXPECT_EQ(rank.steps[0].compute, nanoseconds(200));       // 100 to 300
  EXPECT_EQ(rank.steps[0].exposed_comm, nanoseconds(100));  // 300 to 400
  EXPECT_EQ(rank.steps[0].other, nanoseconds(90));          // 10 to 100
  EXPECT_EQ(rank.steps[1].begin, SimTime{} + nanoseconds(400));
  EXPECT_EQ(rank.steps[1].step, nanoseconds(500));
  EXPECT_EQ(rank.steps[1].compute, nanoseconds(400));
  EXPECT_EQ(rank.steps[1].exposed_comm, Duration{});
}

TEST(MeasuredResult, KeepsEveryChangeOfMemoryAndThePeak) {
  const std::vector<RankRun> runs{run_of(1000), run_of(1000)};
  const engine::RankResult rank = measured_result(two_steps(), runs).ranks[0];
  ASSERT_EQ(rank.memory.size(), 2U);
  EXPECT_EQ(rank.peak.op, 1U);
  EXPECT_EQ(rank.peak.total(), (Bytes{512}));
  ASSERT_EQ(rank.step_peaks.size(), 2U);
  EXPECT_EQ(rank.step_peaks[1].total(), (Bytes{512}));  // held when the step began
  EXPECT_EQ(rank.memory[1].total(), Bytes{});
}

}  // namespace
}  // namespace heddle::execute
