#include "sim/schedule/schedule_check.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/schedule/schedule_builder.h"

namespace heddle::schedule {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Collective all_reduce(std::int64_t bytes) {
  return {CollectiveKind::kAllReduce, CommunicatorId{0}, {bytes}, DType::kBFloat16};
}

/// Two ranks with programs of their own: what `first` and `second` write.
template <typename First, typename Second>
Schedule two_programs(First first, Second second) {
  ScheduleBuilder a(2);
  first(a);
  Schedule s = a.finish(1);
  ScheduleBuilder b(2);
  second(b);
  Schedule other = b.finish(1);
  // The second program's references are moved behind the first one's tables.
  for (Op op : other.programs[0].ops) {
    if (op.kind == OpKind::kCollective) op.arg += static_cast<std::uint32_t>(s.collectives.size());
    op.label = LabelId{op.label.index() + s.labels.size()};
    s.programs.resize(2);
    s.programs[1].ops.push_back(op);
  }
  s.collectives.insert(s.collectives.end(), other.collectives.begin(), other.collectives.end());
  s.labels.insert(s.labels.end(), other.labels.begin(), other.labels.end());
  s.event_count = std::max(s.event_count, other.event_count);
  s.program_of_rank = {0, 1};
  return s;
}

TEST(ScheduleCheck, AcceptsASoundSchedule) {
  ScheduleBuilder b(2);
  b.mark(Mark::Kind::kStepBegin, 0);
  BufferId x = b.alloc(MemoryCategory::kActivations, {512}, "x");
  b.collective(all_reduce(512), 1, "reduce", StreamKind::kReduce);
  b.wait(StreamKind::kCompute, b.record(StreamKind::kReduce));
  b.free(x);
  b.mark(Mark::Kind::kStepEnd, 0);
  EXPECT_THAT(check_schedule(b.finish(1)), IsEmpty());
}

TEST(ScheduleCheck, NamesALeakOfALaterStep) {
  ScheduleBuilder b(1);
  for (int step = 0; step < 2; ++step) {
    b.mark(Mark::Kind::kStepBegin, step);
    b.alloc(MemoryCategory::kOptimizer, {512}, "moment");
    b.mark(Mark::Kind::kStepEnd, step);
  }
  const auto problems = check_schedule(b.finish(2));
  ASSERT_THAT(problems, SizeIs(1));  // states made in step 0 may stay
  EXPECT_THAT(problems[0], HasSubstr("\"moment\" of this step is never freed"));
}

TEST(ScheduleCheck, RefusesDoubleFree) {
  ScheduleBuilder b(1);
  BufferId x = b.alloc(MemoryCategory::kTemporary, {512}, "x");
  BufferId again = x;
  b.free(x);
  b.free(again);
  const auto problems = check_schedule(b.finish(1));
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0], HasSubstr("freed while not allocated"));
}

TEST(ScheduleCheck, RefusesAWaitBeforeItsRecord) {
  ScheduleBuilder b(1);
  b.record(StreamKind::kReduce);
  Schedule s = b.finish(1);
  s.programs[0].ops.insert(s.programs[0].ops.begin(),
                           Op{OpKind::kWait, StreamKind::kCompute, 0, 0, LabelId{0}});
  const auto problems = check_schedule(s);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0], HasSubstr("not recorded before it"));
}

TEST(ScheduleCheck, RefusesDanglingReferences) {
  ScheduleBuilder b(1);
  b.host_work(1, "x");
  Schedule s = b.finish(1);
  s.programs[0].ops[0].kind = OpKind::kCompute;
  s.programs[0].ops[0].arg = 7;
  EXPECT_THAT(check_schedule(s), SizeIs(1));
}

TEST(ScheduleCheck, NamesRanksWithDifferentCollectives) {
  const Schedule s = two_programs(
      [](ScheduleBuilder& b) { b.collective(all_reduce(512), 1, "a", StreamKind::kReduce); },
      [](ScheduleBuilder& b) { b.collective(all_reduce(1024), 1, "b", StreamKind::kReduce); });
  const auto problems = check_schedule(s);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0], HasSubstr("rank 1 issues another collective than rank 0"));
}

TEST(ScheduleCheck, NamesARankOutsideTheCommunicator) {
  ScheduleBuilder b(2);
  b.collective(all_reduce(512), 1, "foreign", StreamKind::kReduce);
  Schedule s = b.finish(1);
  s.communicators[0].groups = {{0}};
  const auto problems = check_schedule(s);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0], HasSubstr("rank 1 is not in the communicator"));
}

TEST(ScheduleCheck, NamesARankThatWaitsForEver) {
  const Schedule s = two_programs(
      [](ScheduleBuilder& b) { b.collective(all_reduce(512), 1, "lonely", StreamKind::kReduce); },
      [](ScheduleBuilder& b) { b.host_work(1, "nothing"); });
  const auto problems = check_schedule(s);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0], HasSubstr("rank 0 waits for ever"));
  EXPECT_THAT(problems[0], HasSubstr("\"lonely\""));
}

}  // namespace
}  // namespace heddle::schedule
