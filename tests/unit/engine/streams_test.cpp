#include <gtest/gtest.h>

#include "tests/unit/engine/small_run.h"

namespace heddle::engine {
namespace {

using schedule::ScheduleBuilder;
using schedule::StreamKind;

// Issued at 10, 20, 30, each starts 3 us later: the host is what holds the GPU up.
TEST(Streams, SlowHostLeavesGaps) {
  ScheduleBuilder b(1);
  for (int i = 0; i < 3; ++i) b.compute(kernel_of(5), 10, "k");
  const RankResult rank = SmallRun(b.finish(0)).run().ranks.at(0);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(interval_of(rank, i).start, at_us(10 * i + 13));
    EXPECT_EQ(interval_of(rank, i).end, at_us(10 * i + 18));
  }
}

// Issued at 1, 2, 3: the first starts at 4, the rest back to back.
TEST(Streams, FastHostRunsAhead) {
  ScheduleBuilder b(1);
  for (int i = 0; i < 3; ++i) b.compute(kernel_of(10), 1, "k");
  const RankResult rank = SmallRun(b.finish(0)).run().ranks.at(0);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(interval_of(rank, i).start, at_us(10 * i + 4));
}

// op 0 gather: issued at 1, runs 4..24. op 2 waits on the compute stream, op 3 starts at 24, not 5.
TEST(Streams, WaitHoldsBackWhatFollows) {
  ScheduleBuilder b(1);
  b.compute(kernel_of(20), 1, "prepare", StreamKind::kGather);
  b.wait(StreamKind::kCompute, b.record(StreamKind::kGather));
  b.compute(kernel_of(5), 1, "use");
  const RankResult rank = SmallRun(b.finish(0)).run().ranks.at(0);
  EXPECT_EQ(interval_of(rank, 3).start, at_us(24));
}

TEST(Streams, WaitForSomethingLongDoneCostsNothing) {
  ScheduleBuilder b(1);
  b.compute(kernel_of(1), 1, "prepare", StreamKind::kGather);  // 4..5
  const schedule::EventId done = b.record(StreamKind::kGather);
  b.compute(kernel_of(30), 1, "long");  // issued at 2, 5..35
  b.wait(StreamKind::kCompute, done);
  b.compute(kernel_of(5), 1, "use");
  const RankResult rank = SmallRun(b.finish(0)).run().ranks.at(0);
  EXPECT_EQ(interval_of(rank, 4).start, at_us(35));
}

// Kernel issued at 1, runs 4..24; the host waits until 24, then issues the next at 25: 28.
TEST(Streams, HostWaitStopsTheHost) {
  ScheduleBuilder b(1);
  b.compute(kernel_of(20), 1, "k");
  b.host_wait(b.record(StreamKind::kCompute));
  b.compute(kernel_of(5), 1, "k2");
  const RankResult rank = SmallRun(b.finish(0)).run().ranks.at(0);
  EXPECT_EQ(interval_of(rank, 3).start, at_us(28));
}

// Memory follows the host (3 and 5 us), not the GPU (busy 4..104).
TEST(Streams, MemoryChangesWhenTheHostAsks) {
  ScheduleBuilder b(1);
  b.compute(kernel_of(100), 1, "k");
  b.host_work(2, "python");
  schedule::BufferId buffer = b.alloc(schedule::MemoryCategory::kActivations, Bytes{512}, "a");
  b.host_work(2, "python");
  b.free(buffer);
  const RankResult rank = SmallRun(b.finish(0)).run().ranks.at(0);
  ASSERT_EQ(rank.memory.size(), 2U);
  EXPECT_EQ(rank.memory[0].time, at_us(3));
  EXPECT_EQ(rank.memory[1].time, at_us(5));
  EXPECT_EQ(rank.peak.total(), Bytes{512});
}

TEST(Streams, WithoutRecordingOnlyMetricsAreKept) {
  ScheduleBuilder b(2);
  b.compute(kernel_of(5), 1, "k");
  b.collective(all_reduce_of(1000), 1, "ar", StreamKind::kReduce);
  b.alloc(schedule::MemoryCategory::kParameters, Bytes{512}, "p");
  SmallRun run(b.finish(0));
  run.options.record_intervals = false;
  const RunResult result = run.run();
  EXPECT_TRUE(result.ranks.at(0).intervals.empty());
  EXPECT_TRUE(result.ranks.at(0).memory.empty());
  EXPECT_TRUE(result.links.empty());
  EXPECT_EQ(result.ranks.at(0).peak.total(), Bytes{512});
  EXPECT_EQ(result.link_bytes.at(0), Bytes{1000});
}

}  // namespace
}  // namespace heddle::engine
