// A rank on the host side of the GPU interface, and what comes of it when that side fails.

#include "validator/gpu_rank/gpu_rank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/schedule/schedule_builder.h"
#include "tests/unit/gpu_rank/rank_threads.h"
#include "validator/gpu_rank/plans.h"

namespace heddle::gpu_rank {
namespace {

using execute::FaultKind;
using schedule::CollectiveKind;
using schedule::Mark;
using schedule::ScheduleBuilder;
using schedule::StreamKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

schedule::Kernel sweep(std::int64_t bytes) {
  schedule::Kernel k;
  k.bytes = {bytes};
  return k;
}

/// Two steps with a kernel and a collective each, and memory that both streams use.
schedule::Schedule small() {
  ScheduleBuilder b(2);
  for (int step = 0; step < 2; ++step) {
    b.mark(Mark::Kind::kStepBegin, step);
    schedule::BufferId x = b.alloc(schedule::MemoryCategory::kGradients, {4096}, "x");
    b.compute(sweep(65'536), 1, "sweep");
    b.wait(StreamKind::kReduce, b.record(StreamKind::kCompute));
    b.collective({CollectiveKind::kAllReduce, b.world(), {4096}}, 1, "reduce", StreamKind::kReduce);
    b.record_stream(x, StreamKind::kReduce);
    b.free(x);
    b.compute(sweep(4096), 1, "last");
    b.mark(Mark::Kind::kStepEnd, step);
  }
  return b.finish(2);
}

execute::RunOptions options() {
  execute::RunOptions options;
  options.settings.verify = true;
  options.memory = true;
  options.deadline_ns = 20'000'000'000;
  return options;
}

TEST(GpuRank, RunsEveryOpOnce) {
  const schedule::Schedule s = small();
  for (const execute::RankRun& rank : run_threaded(s, options(), {}).ranks) {
    ASSERT_FALSE(rank.failure) << rank.failure->text;
    EXPECT_EQ(rank.ops.size(), 6U);
    EXPECT_EQ(rank.marks_ns.size(), 4U);
    EXPECT_EQ(rank.memory.front().reserved, mebibytes(2));
  }
}

/// Without events round each op there is one a stream and step: where the step ends.
TEST(GpuRank, TimesOnlyEndsOfStepsIfAskedTo) {
  execute::RunOptions quiet = options();
  quiet.settings.time_ops = false;
  const schedule::Schedule s = small();
  for (const execute::RankRun& rank : run_threaded(s, quiet, {}).ranks) {
    ASSERT_FALSE(rank.failure) << rank.failure->text;
    std::vector<std::uint32_t> ops;
    for (const device::OpTime& time : rank.ops) {
      ops.push_back(time.op);
      EXPECT_EQ(time.start_ns, time.end_ns);
    }
    // Of compute the last kernel of each step, of reduce its collective.
    EXPECT_THAT(ops, ElementsAre(7, 16, 5, 14));
  }
}

TEST(GpuRank, RunsWithTheDriversAllocator) {
  GpuLimits limits;
  limits.allocator = Allocator::kAsync;
  const schedule::Schedule s = small();
  for (const execute::RankRun& rank : run_threaded(s, options(), {}, limits).ranks) {
    ASSERT_FALSE(rank.failure) << rank.failure->text;
    EXPECT_EQ(rank.memory.front().count.total(), Bytes{4096});
  }
}

/// A GPU too small for operands and buffers is told by the first run.
TEST(GpuRank, SaysWhenTheHarnessDoesNotFit) {
  const schedule::Schedule s = small();
  const ThreadedRun run = run_threaded(s, options(), {}, {}, Bytes{100'000});
  bool told = false;
  for (const execute::RankRun& rank : run.ranks) {
    ASSERT_TRUE(rank.failure);
    told = told || rank.failure->kind == device::FailureKind::kOutOfMemory;
  }
  EXPECT_TRUE(told);
}

/// The k-th call to the GPU is refused, for k = 0, 1, 2, ... until there is no k-th call: every
/// rank comes to an end, and some rank names the reason.
TEST(GpuRank, SurvivesEveryRefusedCall) {
  const schedule::Schedule s = small();
  const std::int64_t calls = run_threaded(s, options(), {FaultKind::kRefused, 1, 1'000'000}).calls;
  EXPECT_GT(calls, 60);
  for (std::int64_t call = 0; call < calls; ++call) {
    SCOPED_TRACE(call);
    const ThreadedRun run = run_threaded(s, options(), {FaultKind::kRefused, 1, call});
    bool named = false;
    for (const execute::RankRun& rank : run.ranks) {
      named = named || (rank.failure && rank.failure->text.find("refused") != std::string::npos);
    }
    // The last calls give back what a rank that is done held: nobody is left to be told.
    if (!named) {
      EXPECT_FALSE(run.ranks[1].failure) << run.ranks[1].failure->text;
      EXPECT_GT(call, calls - 10);
    }
  }
}

TEST(GpuRank, AStalledCollectiveEndsAtItsDeadline) {
  execute::RunOptions hurried = options();
  hurried.deadline_ns = 200'000'000;
  const ThreadedRun run = run_threaded(small(), hurried, {FaultKind::kStall, 0, 1});
  EXPECT_EQ(run.ranks[0].failure->kind, device::FailureKind::kTimeout);
}

TEST(GpuRank, WrongDataIsPlaced) {
  const ThreadedRun run = run_threaded(small(), options(), {FaultKind::kCorrupt, 1, 1});
  ASSERT_TRUE(run.ranks[1].failure);
  EXPECT_EQ(run.ranks[1].failure->kind, device::FailureKind::kWrongData);
  EXPECT_THAT(run.ranks[1].failure->text,
              HasSubstr("rank 1, all_reduce of 4096 bytes, number 1: 1 of 2048 elements differ"));
}

TEST(Plans, NameBothSidesOfTheFirstDifference) {
  schedule::Schedule s = small();
  s.collectives.push_back({CollectiveKind::kAllGather, schedule::CommunicatorId{0}, {64}});
  s.programs.push_back(s.programs[0]);
  s.programs[1].ops[14].arg = 1;
  s.program_of_rank = {0, 1};
  const gpu::Problem problem = compare_plans(s, 0, {plan_text(s, 0), plan_text(s, 1)});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->kind, device::FailureKind::kMismatch);
  EXPECT_THAT(problem->text, HasSubstr("rank 0 runs number 1: all_reduce of 4096 bytes, bf16; "
                                       "rank 1 runs number 1: all_gather of 64 bytes, bf16"));
}

TEST(Plans, AMemberThatStopsEarlyIsLeftToTheDeadline) {
  schedule::Schedule s = small();
  s.programs.push_back({});
  s.program_of_rank = {0, 1};
  const std::vector<std::string> plans{plan_text(s, 0), plan_text(s, 1)};
  EXPECT_FALSE(compare_plans(s, 0, plans));
  EXPECT_TRUE(largest_common(s, 0, plans).empty());
}

/// Garbage instead of a plan is no plan, and nothing is read beyond it.
TEST(Plans, ReadNothingBeyondWhatIsThere) {
  const schedule::Schedule s = small();
  EXPECT_FALSE(compare_plans(s, 0, {plan_text(s, 0), "short"}));
  EXPECT_FALSE(compare_plans(s, 0, {plan_text(s, 0), std::string(8, '\xff')}));
}

TEST(Plans, OfEachKindTheLargestWarmsUp) {
  ScheduleBuilder b(2);
  for (const std::int64_t bytes : {64, 4096, 1024}) {
    b.collective({CollectiveKind::kAllReduce, b.world(), {bytes}}, 1, "r", StreamKind::kReduce);
    b.collective({CollectiveKind::kAllGather, b.world(), {bytes / 2}}, 1, "g", StreamKind::kGather);
  }
  const schedule::Schedule s = b.finish(1);
  EXPECT_THAT(largest_common(s, 0, {plan_text(s, 0), plan_text(s, 1)}), ElementsAre(2, 3));
}

}  // namespace
}  // namespace heddle::gpu_rank
