#include "sim/schedule/schedule_builder.h"

#include <gtest/gtest.h>

#include "sim/schedule/schedule_check.h"

namespace heddle::schedule {
namespace {

Kernel copy_of(std::int64_t bytes) {
  Kernel kernel;
  kernel.bytes = {bytes};
  return kernel;
}

TEST(ScheduleBuilder, KeepsHostOrder) {
  ScheduleBuilder b(2);
  b.at(Phase::kForward, 3);
  BufferId buffer = b.alloc(MemoryCategory::kActivations, {100}, "x");
  b.compute(copy_of(8), 2, "copy");
  b.free(buffer);
  const Schedule s = b.finish(1);
  ASSERT_EQ(s.programs.size(), 1U);
  const auto& ops = s.programs[0].ops;
  ASSERT_EQ(ops.size(), 3U);
  EXPECT_EQ(ops[0].kind, OpKind::kAlloc);
  EXPECT_EQ(ops[1].kind, OpKind::kCompute);
  EXPECT_EQ(ops[1].dispatches, 2);
  EXPECT_EQ(ops[2].kind, OpKind::kFree);
  EXPECT_EQ(s.label(ops[1].label), (Label{Phase::kForward, 3, "copy"}));
  EXPECT_EQ(s.rank_count(), 2);
}

TEST(ScheduleBuilder, RoundsAllocationsTo512Bytes) {
  ScheduleBuilder b(1);
  b.alloc(MemoryCategory::kTemporary, {1}, "one");
  b.alloc(MemoryCategory::kTemporary, {512}, "exact");
  b.alloc(MemoryCategory::kTemporary, {513}, "over");
  const Schedule s = b.finish(0);
  EXPECT_EQ(s.buffers[0].bytes, Bytes{512});
  EXPECT_EQ(s.buffers[1].bytes, Bytes{512});
  EXPECT_EQ(s.buffers[2].bytes, Bytes{1024});
}

TEST(ScheduleBuilder, NothingForNothing) {
  ScheduleBuilder b(1);
  BufferId none = b.alloc(MemoryCategory::kTemporary, {0}, "empty");
  EXPECT_FALSE(none.valid());
  b.free(none);
  b.wait(StreamKind::kCompute, EventId{});
  b.host_work(0, "idle");
  EXPECT_TRUE(b.finish(0).programs[0].ops.empty());
}

TEST(ScheduleBuilder, RemembersTheStreamsThatUseABuffer) {
  ScheduleBuilder b(1);
  BufferId buffer = b.alloc(MemoryCategory::kTemporary, {1}, "x", StreamKind::kGather);
  b.record_stream(buffer, StreamKind::kGather);  // its own
  b.record_stream(BufferId{}, StreamKind::kReduce);
  EXPECT_TRUE(buffer.valid());
  b.free_after(buffer, StreamKind::kReduce);
  EXPECT_FALSE(buffer.valid());
  const Schedule s = b.finish(0);
  EXPECT_EQ(s.buffers[0].used_by, 1U << static_cast<unsigned>(StreamKind::kReduce));
  EXPECT_EQ(s.programs[0].ops.back().kind, OpKind::kFree);
}

TEST(ScheduleBuilder, InternsKernelsCollectivesAndLabels) {
  ScheduleBuilder b(2);
  const Collective reduce{CollectiveKind::kAllReduce, b.world(), {1024}, DType::kBFloat16};
  for (int i = 0; i < 3; ++i) {
    b.compute(copy_of(8), 1, "copy");
    b.collective(reduce, 1, "reduce", StreamKind::kReduce);
  }
  b.compute(copy_of(16), 1, "copy");
  const Schedule s = b.finish(1);
  EXPECT_EQ(s.kernels.size(), 2U);
  EXPECT_EQ(s.collectives.size(), 1U);
  EXPECT_EQ(s.labels.size(), 2U);
}

TEST(ScheduleBuilder, KernelWithoutLaunchesIsHostWork) {
  ScheduleBuilder b(1);
  Kernel view;
  view.launches = 0;
  b.compute(view, 5, "views");
  const Schedule s = b.finish(1);
  EXPECT_EQ(s.programs[0].ops[0].kind, OpKind::kHostWork);
  EXPECT_TRUE(s.kernels.empty());
}

}  // namespace
}  // namespace heddle::schedule
