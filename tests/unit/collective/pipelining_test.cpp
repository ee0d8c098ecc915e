#include "sim/collective/pipelining.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/collective/plan.h"

namespace heddle::collective {
namespace {

// 2 sqrt(1 us x 400 us) = 40 us; beyond 400 us it stays.
TEST(Pipelining, GrowsWithTheRootAndThenStays) {
  const Pipelining law{microseconds(1), microseconds(400)};
  EXPECT_EQ(law.stall(microseconds(100)), microseconds(20));
  EXPECT_EQ(law.stall(microseconds(400)), microseconds(40));
  EXPECT_EQ(law.stall(milliseconds(50)), microseconds(40));
  EXPECT_EQ(law.stall({}), Duration{});
  EXPECT_EQ(Pipelining{}.stall(microseconds(100)), Duration{});
}

// Five stages, handshake 3 us, transfer 6 ms: chunks of duration d take (6 ms / d + 5) (d + 3 us)
// in all, least near d = sqrt(3 us x 6 ms / 5) = 60 us. The law leaves out the 15 us that every
// size pays, which are latency.
TEST(Pipelining, IsTheBestCutIntoChunks) {
  double best = 1e9;
  for (int chunks = 1; chunks < 1000; ++chunks) {
    best = std::min(best, (chunks + 5) * (6000.0 / chunks + 3));
  }
  const Pipelining law{microseconds(15), milliseconds(10)};  // 5 x 3 us
  const double stall = static_cast<double>(law.stall(milliseconds(6)).ps) * 1e-6;
  EXPECT_NEAR(6000 + 15 + stall, best, 0.01);
}

// 1 GB at 100 GB/s is 10 ms; sync 16 us: 2 sqrt(16 us x 10 ms) = 0.8 ms, so it runs at 1 / 10.8 ms.
TEST(Pipelining, SlowsThePlanSoThatTheEngineSeesIt) {
  Plan plan;
  plan.latency = microseconds(5);
  plan.rate = {100'000'000'000};
  plan.pipelining = {microseconds(16), milliseconds(100)};
  EXPECT_EQ(plan.rate_at(gigabytes(1)).bytes_per_second, 92'592'592'592);
  EXPECT_NEAR(plan.time(gigabytes(1)).seconds(), 0.010805, 1e-12);
  plan.pipelining = {};
  EXPECT_EQ(plan.rate_at(gigabytes(1)), plan.rate);
}

}  // namespace
}  // namespace heddle::collective
