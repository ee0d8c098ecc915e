#include "sim/engine/memory_timeline.h"

#include <gtest/gtest.h>

#include "sim/base/check.h"

namespace heddle::engine {
namespace {

using schedule::Buffer;
using schedule::MemoryCategory;
using schedule::StreamKind;

Buffer buffer(std::int64_t bytes, MemoryCategory category) {
  return {Bytes{bytes}, category, StreamKind::kCompute, {}};
}

// 100 kept; step 0 peaks at 100+50 (t=3), step 1 at 100+20 (t=7).
TEST(MemoryTimeline, KeepsThePeakOfEachStepAndOfTheRun) {
  const Buffer weights = buffer(100, MemoryCategory::kParameters);
  const Buffer large = buffer(50, MemoryCategory::kActivations);
  const Buffer small = buffer(20, MemoryCategory::kTemporary);
  MemoryTimeline memory(false);
  memory.allocate({1}, 0, weights);
  memory.begin_step({2}, 1);
  memory.allocate({3}, 2, large);
  memory.note_resident({4}, 3);
  memory.free({5}, 4, large);
  memory.begin_step({6}, 5);
  memory.allocate({7}, 6, small);
  memory.free({8}, 7, small);
  RankResult result;
  memory.report(result);

  EXPECT_TRUE(result.memory.empty());
  EXPECT_EQ(result.peak.total(), Bytes{150});
  EXPECT_EQ(result.peak.time, SimTime{3});
  ASSERT_EQ(result.step_peaks.size(), 2U);
  EXPECT_EQ(result.step_peaks[0].op, 2U);
  EXPECT_EQ(result.step_peaks[1].total(), Bytes{120});
  EXPECT_EQ(result.step_peaks[1].by_category[static_cast<std::size_t>(MemoryCategory::kTemporary)],
            Bytes{20});
  ASSERT_EQ(result.after_optimizer.size(), 1U);
  EXPECT_EQ(result.after_optimizer[0].total(), Bytes{150});
  EXPECT_EQ(result.after_optimizer[0].time, SimTime{4});
}

TEST(MemoryTimeline, AStepThatAllocatesNothingPeaksAtItsBegin) {
  MemoryTimeline memory(true);
  memory.allocate({1}, 0, buffer(100, MemoryCategory::kParameters));
  memory.begin_step({2}, 1);
  RankResult result;
  memory.report(result);
  EXPECT_EQ(result.memory.size(), 1U);
  EXPECT_EQ(result.step_peaks.at(0).total(), Bytes{100});
  EXPECT_EQ(result.step_peaks.at(0).time, SimTime{2});
}

TEST(MemoryTimeline, NoticesMoreFreedThanAllocated) {
  MemoryTimeline memory(false);
  memory.allocate({1}, 0, buffer(100, MemoryCategory::kParameters));
  EXPECT_THROW(memory.free({2}, 1, buffer(10, MemoryCategory::kGradients)), InternalError);
}

}  // namespace
}  // namespace heddle::engine
