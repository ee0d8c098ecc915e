// A GPU slower than its model: kernels take 1/speed of their time, everyone waits for it.

#include <gtest/gtest.h>

#include "sim/engine/gpu_speed.h"
#include "tests/unit/engine/small_run.h"

namespace heddle::engine {
namespace {

using schedule::ScheduleBuilder;
using schedule::StreamKind;

// A kernel of 40 us, then an all-reduce of 5000 bytes. Host 1 + launch 3: the kernel runs 4..44,
// at 80 % speed 4..54. The all-reduce waits for the slow rank: 54 + 2 + 5.
TEST(SlowGpu, TheOthersWaitForIt) {
  ScheduleBuilder b(3);
  b.compute(kernel_of(40), 1, "k");                             // op 0
  b.wait(StreamKind::kReduce, b.record(StreamKind::kCompute));  // 1, 2
  b.collective(all_reduce_of(5000), 0, "ar", StreamKind::kReduce);
  SmallRun run(b.finish(0));
  run.speeds = {kPpb, 800'000'000, kPpb};
  const RunResult result = run.run();
  ASSERT_EQ(result.ranks.size(), 2U);
  EXPECT_EQ(result.ranks[0].multiplicity, 2);
  EXPECT_EQ(result.ranks[1].first_rank, 1);
  EXPECT_EQ(result.ranks[1].speed_ppb, 800'000'000);
  EXPECT_EQ(interval_of(result.ranks[0], 0).end, at_us(44));
  EXPECT_EQ(interval_of(result.ranks[1], 0).end, at_us(54));
  EXPECT_EQ(interval_of(result.ranks[0], 3).start, at_us(44));
  for (const RankResult& rank : result.ranks) EXPECT_EQ(interval_of(rank, 3).end, at_us(61));
}

TEST(SlowGpu, TimesAreRoundedUp) {
  EXPECT_EQ(at_speed(Duration{10}, 300'000'000), Duration{34});  // 33.3
  EXPECT_EQ(at_speed(Duration{10}, kPpb), Duration{10});
  EXPECT_EQ(at_speed(Duration{0}, 1), Duration{0});
}

}  // namespace
}  // namespace heddle::engine
