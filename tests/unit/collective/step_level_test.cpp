#include "sim/collective/step_level.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

#include "sim/collective/host_staging.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

constexpr Duration kHop = microseconds(10);

StepRing equal_ring(std::size_t ranks) {
  StepRing ring;
  ring.copy.assign(ranks, kHop);
  return ring;
}

// Equal hops: the CTA runs 2n - 1 operations to move n chunks, n for a gather, and the pipeline of
// a broadcast moves one chunk per operation.
TEST(StepLevel, EqualHopsTakeAllOperations) {
  for (std::size_t n = 2; n <= 9; ++n) {
    const auto ranks = static_cast<std::int64_t>(n);
    EXPECT_EQ(steady_loop_time(equal_ring(n), CollectiveKind::kAllReduce), kHop * (2 * ranks - 1));
    EXPECT_EQ(steady_loop_time(equal_ring(n), CollectiveKind::kAllGather), kHop * ranks);
    EXPECT_EQ(steady_loop_time(equal_ring(n), CollectiveKind::kReduceScatter), kHop * ranks);
    EXPECT_EQ(steady_loop_time(equal_ring(n), CollectiveKind::kBroadcast), kHop);
  }
}

TEST(StepLevel, AgreesWithTheSerialCtaLaw) {
  for (std::size_t n = 2; n <= 9; ++n) {
    for (CollectiveKind kind : {CollectiveKind::kAllReduce, CollectiveKind::kAllGather}) {
      const Share ops = operations_per_chunk(kind, static_cast<int>(n));
      const Duration loop = steady_loop_time(equal_ring(n), kind);  // moves n chunks of payload
      EXPECT_EQ(loop.ps * ops.den, kHop.ps * static_cast<std::int64_t>(n) * ops.num);
    }
  }
}

// Two hops of 10 us, the others 6 or 3 us: throughput over that of the slow hop alone, 2(n-1) sends
// per loop. 0.909 and 0.952 for n = 4, 0.959 and 0.979 for n = 8 by an independent walk.
TEST(StepLevel, FewSlowHopsHideTheOthers) {
  const auto share = [](std::size_t n, Duration fast) {
    StepRing ring;
    ring.copy.assign(n, fast);
    ring.copy[0] = ring.copy[n / 2] = kHop;
    const Duration loop = steady_loop_time(ring, CollectiveKind::kAllReduce);
    return static_cast<double>(kHop.ps) * 2.0 * static_cast<double>(n - 1) /
           static_cast<double>(loop.ps);
  };
  EXPECT_NEAR(share(4, microseconds(6)), 0.909, 5e-4);
  EXPECT_NEAR(share(4, microseconds(3)), 0.952, 5e-4);
  EXPECT_NEAR(share(8, microseconds(6)), 0.959, 5e-4);
  EXPECT_NEAR(share(8, microseconds(3)), 0.979, 5e-4);
}

// One loop of a broadcast passes n - 1 hops, and the last rank's receive is the hop's own time;
// member 0 sends at 0, so the end is n operations of 10 us later, sync included in each.
TEST(StepLevel, SyncIsPaidPerOperation) {
  StepRing ring = equal_ring(4);
  ring.sync = microseconds(1);
  EXPECT_EQ(step_time(ring, CollectiveKind::kBroadcast, 1), microseconds(44));
  EXPECT_EQ(step_time(ring, CollectiveKind::kAllReduce, 1), microseconds(77));
}

// With one slot a sender waits until its chunk has been forwarded: two operations per chunk.
TEST(StepLevel, OneSlotHalvesABroadcast) {
  StepRing ring = equal_ring(4);
  ring.slots = 1;
  EXPECT_EQ(steady_loop_time(ring, CollectiveKind::kBroadcast), kHop * 2);
}

// c channels share wires of 1 us per chunk and copy for some time themselves: whichever takes
// longer, c times 2(n-1) chunks over a wire or 2n - 1 copies one after the other.
TEST(StepLevel, ChannelsFillAWireOrAreTheLimit) {
  for (std::size_t n : {2U, 4U, 8U}) {
    for (int channels : {2, 4, 8}) {
      for (int copy_us : {1, 2, 4, 16}) {
        StepRing ring;
        ring.copy.assign(n, microseconds(copy_us));
        ring.wire.assign(n, microseconds(1));
        ring.channels = channels;
        const auto ranks = static_cast<std::int64_t>(n);
        const Duration by_cta = microseconds(copy_us) * (2 * ranks - 1);
        const Duration by_wire = microseconds(channels) * (2 * (ranks - 1));
        EXPECT_EQ(steady_loop_time(ring, CollectiveKind::kAllReduce), std::max(by_cta, by_wire));
      }
    }
  }
}

}  // namespace
}  // namespace heddle::collective
