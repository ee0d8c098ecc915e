#include "sim/engine/program_index.h"

#include <gtest/gtest.h>

#include "sim/schedule/schedule_builder.h"
#include "tests/unit/engine/small_run.h"

namespace heddle::engine {
namespace {

using schedule::ScheduleBuilder;
using schedule::StreamKind;

TEST(ProgramIndex, ListsEachStreamsOpsAndNumbersCollectives) {
  ScheduleBuilder b(2);
  b.host_work(1, "python");                                     // op 0
  b.collective(all_reduce_of(1), 1, "a", StreamKind::kGather);  // 1
  b.compute(kernel_of(1), 1, "k");                              // 2
  b.collective(all_reduce_of(2), 1, "b", StreamKind::kReduce);  // 3
  b.wait(StreamKind::kCompute, b.record(StreamKind::kReduce));  // 4, 5
  const schedule::Schedule s = b.finish(0);
  const ProgramIndex index = index_program(s, s.programs[0]);
  const auto& compute = index.streams[static_cast<std::size_t>(StreamKind::kCompute)];
  const auto& gather = index.streams[static_cast<std::size_t>(StreamKind::kGather)];
  const auto& reduce = index.streams[static_cast<std::size_t>(StreamKind::kReduce)];
  ASSERT_EQ(compute.size(), 2U);
  EXPECT_EQ(compute[1].op, 5U);
  ASSERT_EQ(gather.size(), 1U);
  EXPECT_EQ(gather[0].sequence, 0U);
  ASSERT_EQ(reduce.size(), 2U);
  EXPECT_EQ(reduce[0].sequence, 1U);
  EXPECT_EQ(index.collective_count.at(0), 2U);
}

}  // namespace
}  // namespace heddle::engine
