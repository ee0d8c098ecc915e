// Background traffic beside collectives, worked by hand on links of 1 GB/s (1000 bytes take 1 us).

#include <gtest/gtest.h>

#include "sim/base/check.h"
#include "tests/unit/engine/small_run.h"

namespace heddle::engine {
namespace {

using schedule::ScheduleBuilder;
using schedule::StreamKind;

constexpr Bandwidth kGigabyte{1'000'000'000};

std::vector<collective::LinkUse> over_link(std::size_t link, std::int64_t weight = kPpb) {
  return {{fabric::LinkId{link}, weight, weight}};
}

/// An all-reduce that arrives at 7, moves from 9 on.
SmallRun all_reduce(std::int64_t bytes) {
  ScheduleBuilder b(2);
  b.collective(all_reduce_of(bytes), 0, "ar", StreamKind::kReduce);
  return SmallRun(b.finish(0));
}

SimTime end_of(const RunResult& result) {
  return interval_of(result.ranks.at(0), 0).end;
}

// A capped flow of 0.2 GB/s leaves 0.8: 4000 bytes take 5 us instead of 4.
TEST(Background, ACappedFlowLeavesTheRest) {
  SmallRun run = all_reduce(4000);
  run.background = {{"steady", {}, {200'000'000}, {}, {}, {}, over_link(0)}};
  const RunResult result = run.run();
  EXPECT_EQ(end_of(result), at_us(14));
  // 14 us at 0.2 GB/s, the whole run long.
  EXPECT_EQ(result.end, at_us(14));
  EXPECT_EQ(result.background.at(0).moved, Bytes{2800});
  EXPECT_EQ(result.collectives.at(0).calls, 1);
  EXPECT_EQ(result.collectives.at(0).busy, microseconds(7));  // latency 2 + 5
}

// A cap above the fair share: both get half, 4000 bytes take 8 us.
TEST(Background, AGreedyFlowTakesItsFairShare) {
  SmallRun run = all_reduce(4000);
  run.background = {{"greedy", {}, kGigabyte * 5, {}, {}, {}, over_link(0)}};
  const RunResult result = run.run();
  EXPECT_EQ(end_of(result), at_us(17));
  EXPECT_EQ(result.background.at(0).moved, Bytes{9000 + 4000});  // alone until 9, then half
}

// The other one crosses the link with weight 3: 1 x + 3 x = 1 GB/s, so each moves 0.25 GB/s.
TEST(Background, WeightsCountInTheSharing) {
  SmallRun run = all_reduce(4000);
  run.background = {{"heavy", {}, kGigabyte * 5, {}, {}, {}, over_link(0, 3 * kPpb)}};
  EXPECT_EQ(end_of(run.run()), at_us(9 + 16));
}

TEST(Background, OnOtherLinksChangesNothing) {
  SmallRun run = all_reduce(4000);
  const RunResult alone = run.run();
  run.background = {{"elsewhere", {}, kGigabyte, {}, {}, {}, over_link(1)}};
  const RunResult beside = run.run();
  EXPECT_EQ(beside.fingerprint, alone.fingerprint);
  EXPECT_EQ(end_of(beside), at_us(13));
}

// Transfers of 2000 bytes begin at 4 and 14 (latency 1 before). The first is alone 5..7. The
// all-reduce moves 6000 bytes alone by 15; then it shares: its last 2000 take 4 us, as do the
// other's: both end at 19.
TEST(Background, PeriodicTransfersComeAndGo) {
  SmallRun run = all_reduce(8000);
  run.background = {
      {"periodic", {2000}, kGigabyte, microseconds(1), microseconds(10), at_us(4), over_link(0)}};
  const RunResult result = run.run();
  EXPECT_EQ(end_of(result), at_us(19));
  EXPECT_EQ(result.background.at(0).transfers, 2);
  EXPECT_EQ(result.background.at(0).moved, Bytes{4000});
  EXPECT_EQ(result.background.at(0).behind, Duration{0});
}

// 3000 bytes every 2 us need 3 us each: they queue, and the k-th begins k us late. Without the
// all-reduce's share: 0..3, 3..6, 6..9; then both at half rate: 9..15 and the all-reduce's 3000
// end at 15. The one that begins there was due at 8.
TEST(Background, LateTransfersQueue) {
  SmallRun run = all_reduce(3000);
  run.background = {{"late", {3000}, kGigabyte, {}, microseconds(2), {}, over_link(0)}};
  const RunResult result = run.run();
  EXPECT_EQ(end_of(result), at_us(15));
  EXPECT_EQ(result.background.at(0).transfers, 4);
  EXPECT_EQ(result.background.at(0).behind, microseconds(7));
}

// One after the other with 1 us before each: 1..3, 4..6, 7..9 and so on, not behind ever.
TEST(Background, ContinuousTransfersFollowEachOther) {
  SmallRun run = all_reduce(0);  // ends at 7
  run.background = {{"continuous", {2000}, kGigabyte, microseconds(1), {}, {}, over_link(0)}};
  const RunResult result = run.run();
  EXPECT_EQ(result.end, at_us(7));
  EXPECT_EQ(result.background.at(0).transfers, 2);
  EXPECT_EQ(result.background.at(0).behind, Duration{0});
}

TEST(Background, ShowsInLinkLoadsAndNotInTheSchedulesBytes) {
  SmallRun run = all_reduce(4000);
  const Bytes own = run.run().link_bytes.at(0);
  run.background = {{"steady", {}, {200'000'000}, {}, {}, {}, over_link(0)}};
  const RunResult result = run.run();
  EXPECT_EQ(result.links.at(0).time, at_us(0));
  EXPECT_EQ(result.links.at(0).load, Bandwidth{200'000'000});
  EXPECT_EQ(result.links.at(1).load, kGigabyte);
  EXPECT_EQ(result.links.back().load, Bandwidth{200'000'000});
  EXPECT_EQ(result.link_bytes.at(0), own);
}

// From 9 on both at half rate; the other's 2000 bytes end at 13, the all-reduce's last 4000 at 17.
// The end planned at half rate, 21, is not the run's: the steady flow moves 17 us at 0.1 GB/s.
TEST(Background, ThatEndsEarlyDoesNotMakeTheRunLonger) {
  SmallRun run = all_reduce(6000);
  run.background = {{"once", {2000}, kGigabyte, {}, milliseconds(1), at_us(9), over_link(0)},
                    {"steady", {}, {100'000'000}, {}, {}, {}, over_link(1)}};
  const RunResult result = run.run();
  EXPECT_EQ(end_of(result), at_us(17));
  EXPECT_EQ(result.end, at_us(17));
  EXPECT_EQ(result.background.at(0).transfers, 1);
  EXPECT_EQ(result.background.at(1).moved, Bytes{1700});
}

TEST(Background, NeverHidesADeadlock) {
  ScheduleBuilder b(1);
  b.collective(all_reduce_of(5000), 0, "lonely", StreamKind::kReduce);
  schedule::Schedule s = b.finish(0);
  s.program_of_rank.push_back(1);
  s.programs.emplace_back();
  s.communicators[0].groups[0].push_back(1);
  SmallRun run(s);
  run.background = {{"periodic", {2000}, kGigabyte, {}, microseconds(10), {}, over_link(0)}};
  EXPECT_THROW(run.run(), InternalError);
}

}  // namespace
}  // namespace heddle::engine
