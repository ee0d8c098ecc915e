#include "sim/engine/link_recorder.h"

#include <gtest/gtest.h>

#include <array>

#include "sim/schedule/schedule_builder.h"
#include "tests/unit/engine/small_run.h"

namespace heddle::engine {
namespace {

using collective::LinkUse;
using schedule::Mark;
using schedule::StreamKind;

constexpr fabric::LinkId kFirst{std::size_t{0}};
constexpr fabric::LinkId kSecond{std::size_t{1}};

// True bytes, not occupancy: half the payload crosses the first link, all of it the second.
constexpr std::array kUses{LinkUse{kFirst, 1'000'000'000, 500'000'000},
                           LinkUse{kSecond, 2'000'000'000, 1'000'000'000}};

TEST(LinkRecorder, SumsTrueBytesPerSecond) {
  LinkRecorder recorder(2);
  recorder.change(kUses, 100);
  recorder.change(kUses, 50);
  recorder.flush({7});
  recorder.flush({8});  // nothing has changed
  recorder.change(kUses, -150);
  recorder.flush({9});
  const std::vector<LinkSample> samples = recorder.take();
  ASSERT_EQ(samples.size(), 4U);
  EXPECT_EQ(samples[0].load, Bandwidth{75});
  EXPECT_EQ(samples[1].link, kSecond);
  EXPECT_EQ(samples[1].load, Bandwidth{150});
  EXPECT_EQ(samples[3].time, SimTime{9});
  EXPECT_EQ(samples[3].load, Bandwidth{0});
}

// Two calls in the last step; the one of step 0 does not count.
TEST(StepLinkBytes, CountsTheLastStepOnly) {
  schedule::ScheduleBuilder b(2);
  for (int step = 0; step < 2; ++step) {
    b.mark(Mark::Kind::kStepBegin, step);
    for (int call = 0; call <= step; ++call) {
      b.collective(all_reduce_of(1001), 1, "ar", StreamKind::kReduce);
    }
    b.mark(Mark::Kind::kStepEnd, step);
  }
  collective::CollectiveCost cost;
  cost.payload = Bytes{1001};
  cost.uses = kUses;
  CostTable costs;
  costs.collectives = {cost};
  costs.links.resize(2);
  const std::vector<Bytes> bytes = step_link_bytes(b.finish(2), costs);
  EXPECT_EQ(bytes[0], Bytes{1001});  // 2 * 500.5
  EXPECT_EQ(bytes[1], Bytes{2002});
}

}  // namespace
}  // namespace heddle::engine
