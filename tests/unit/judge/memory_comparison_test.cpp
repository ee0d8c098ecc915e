// An edited schedule is told from the planned one, edit by edit.

#include "validator/judge/memory_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/schedule/schedule_builder.h"
#include "validator/execute/measured_result.h"
#include "validator/execute/thread_job.h"
#include "validator/judge/memory_timeline.h"

namespace heddle::judge {
namespace {

using schedule::MemoryCategory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

schedule::Schedule small() {
  schedule::ScheduleBuilder b(2);
  b.mark(schedule::Mark::Kind::kStepBegin, 0);
  schedule::BufferId x = b.alloc(MemoryCategory::kGradients, {1024}, "x");
  schedule::BufferId y = b.alloc(MemoryCategory::kActivations, {4096}, "y");
  b.free(y);
  schedule::BufferId z = b.alloc(MemoryCategory::kActivations, {2048}, "z");
  b.free(z);
  b.free(x);
  b.mark(schedule::Mark::Kind::kStepEnd, 0);
  return b.finish(1);
}

engine::RunResult run(const schedule::Schedule& s) {
  execute::RunOptions options;
  options.memory = true;
  options.settings.return_memory = true;
  return execute::measured_result(s, execute::run_in_threads(s, options).front());
}

TEST(MemoryComparison, EqualRunsHaveNoDifference) {
  const schedule::Schedule s = small();
  const MemoryComparison c = compare_memory({s, run(s)}, {s, run(s)});
  EXPECT_TRUE(c.equal());
  EXPECT_EQ(c.boundaries, 12U);  // three Allocs and three Frees on two ranks
  EXPECT_EQ(c.measured_peak, (Bytes{5120}));
  EXPECT_EQ(c.predicted_at_peak, c.measured_at_peak);
}

TEST(MemoryComparison, NamesAnEditedSizeOncePerUse) {
  const schedule::Schedule s = small();
  schedule::Schedule edited = s;
  edited.buffers[1].bytes = {8192};
  const MemoryComparison c = compare_memory({s, run(s)}, {edited, run(edited)});
  ASSERT_THAT(c.differences, SizeIs(4));  // its Alloc and its Free, on two ranks
  EXPECT_EQ(c.differences[0].what, "4096 B predicted, 8192 B measured");
  EXPECT_EQ(c.differences[0].op, "alloc of \"y\" (init)");
  EXPECT_EQ(c.differences[0].category, MemoryCategory::kActivations);
  EXPECT_EQ(c.measured_peak, (Bytes{9216}));
}

TEST(MemoryComparison, NamesADroppedFree) {
  const schedule::Schedule s = small();
  schedule::Schedule edited = s;
  auto& ops = edited.programs[0].ops;
  ops.erase(std::find_if(ops.begin(), ops.end(), [](const schedule::Op& op) {
    return op.kind == schedule::OpKind::kFree && op.arg == 1;
  }));
  const MemoryComparison c = compare_memory({s, run(s)}, {edited, run(edited)});
  ASSERT_THAT(c.differences, SizeIs(2));  // one a rank
  EXPECT_EQ(c.differences[0].what, "predicted, never happened");
  EXPECT_THAT(c.differences[0].op, HasSubstr("free of \"y\""));
  EXPECT_EQ(c.totals_differ, 6U);  // the three boundaries after it, on two ranks
}

TEST(MemoryTimeline, IsTheLastStepBoundaryByBoundary) {
  const schedule::Schedule s = small();
  const MemoryTimeline timeline = memory_timeline(s, run(s), run(s));
  EXPECT_EQ(timeline.rank, 0);
  std::vector<std::int64_t> totals;
  for (const MemoryMoment& moment : timeline.moments) {
    totals.push_back(moment.measured.value);
    Bytes predicted;
    for (const Bytes bytes : moment.predicted) predicted += bytes;
    EXPECT_EQ(predicted, moment.measured);
  }
  EXPECT_THAT(totals, ElementsAre(1024, 5120, 1024, 3072, 1024, 0));
}

}  // namespace
}  // namespace heddle::judge
