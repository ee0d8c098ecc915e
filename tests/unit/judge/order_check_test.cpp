#include "validator/judge/order_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/schedule/schedule_builder.h"

namespace heddle::judge {
namespace {

using schedule::CollectiveKind;
using schedule::ScheduleBuilder;
using schedule::StreamKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Ops 0: a kernel, 1: an event behind it, 2: reduce waits for it, 3: a collective there, 4: the
/// next collective of that communicator on another stream.
schedule::Schedule small() {
  ScheduleBuilder b(1);
  schedule::Kernel kernel;
  kernel.bytes = {64};
  b.compute(kernel, 1, "k");
  b.wait(StreamKind::kReduce, b.record(StreamKind::kCompute));
  b.collective({CollectiveKind::kAllReduce, b.world(), {64}}, 1, "r", StreamKind::kReduce);
  b.collective({CollectiveKind::kAllGather, b.world(), {64}}, 1, "g", StreamKind::kGather);
  return b.finish(1);
}

std::vector<execute::RankRun> run(std::int64_t reduce_ns, std::int64_t gather_ns) {
  execute::RankRun rank;
  rank.ops = {{0, StreamKind::kCompute, 0, 100'000},
              {3, StreamKind::kReduce, reduce_ns, reduce_ns + 50'000},
              {4, StreamKind::kGather, gather_ns, gather_ns + 10'000}};
  return {rank};
}

TEST(OrderCheck, FindsNothingWhereAllIsInOrder) {
  EXPECT_THAT(order_faults(small(), run(100'000, 150'000)), IsEmpty());
  EXPECT_THAT(order_faults(small(), run(98'500, 150'000)), IsEmpty());  // within the resolution
}

TEST(OrderCheck, SeesAnOpThatDoesNotWait) {
  EXPECT_THAT(order_faults(small(), run(60'000, 110'000)),
              ElementsAre("rank 0: op 3 starts 40.0 us before op 0 has ended, which it waits for"));
}

TEST(OrderCheck, SeesCollectivesOfACommunicatorOutOfTurn) {
  EXPECT_THAT(
      order_faults(small(), run(100'000, 120'000)),
      ElementsAre("rank 0: op 4 starts 30.0 us before op 3 has ended, on its communicator"));
}

TEST(OrderCheck, SeesWhatWasNotRun) {
  std::vector<execute::RankRun> runs = run(100'000, 150'000);
  runs[0].ops.pop_back();
  EXPECT_THAT(order_faults(small(), runs), ElementsAre("rank 0: op 4 was not run"));
}

}  // namespace
}  // namespace heddle::judge
