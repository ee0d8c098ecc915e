#include "sim/engine/step_ledger.h"

#include <gtest/gtest.h>

namespace heddle::engine {
namespace {

StepAccounting only_step(const StepLedger& ledger, std::int64_t begin, std::int64_t end) {
  return ledger.steps({begin}, {{end}}).at(0);
}

// Work allowed at 10 starts at 25 because of a wait and ends at 40.
TEST(StepLedger, SplitsIdleTimeAtTheIssue) {
  StepLedger ledger;
  ledger.stream_waited(ledger.add_call({}));
  ledger.work({10}, {25}, {40});
  const StepAccounting step = only_step(ledger, 0, 40);
  EXPECT_EQ(step.host, Duration{10});
  EXPECT_EQ(step.exposed_comm, Duration{15});
  EXPECT_EQ(step.compute, Duration{15});
  EXPECT_EQ(step.other, Duration{0});
}

TEST(StepLedger, WaitForComputeIsOther) {
  StepLedger ledger;
  ledger.stream_waited(kNoCall);
  ledger.work({10}, {25}, {40});
  EXPECT_EQ(only_step(ledger, 0, 40).other, Duration{15});
}

// Idle 0..30 until the issue, but the host itself waited for a collective from 5 to 20.
TEST(StepLedger, HostWaitingForACollectiveIsExposedCommunication) {
  StepLedger ledger;
  ledger.host_blocked({5}, {20}, ledger.add_call({}));
  ledger.work({30}, {30}, {31});
  const StepAccounting step = only_step(ledger, 0, 31);
  EXPECT_EQ(step.host, Duration{15});
  EXPECT_EQ(step.exposed_comm, Duration{15});
  EXPECT_EQ(step.compute, Duration{1});
}

// The host waited from 5 to 20 while the stream was busy until 12: only 12..20 was idle.
TEST(StepLedger, CountsAHostWaitOnlyWhileIdle) {
  StepLedger ledger;
  ledger.work({0}, {0}, {12});
  ledger.host_blocked({5}, {20}, ledger.add_call({}));
  ledger.work({22}, {22}, {23});
  const StepAccounting step = only_step(ledger, 0, 23);
  EXPECT_EQ(step.compute, Duration{13});
  EXPECT_EQ(step.exposed_comm, Duration{8});
  EXPECT_EQ(step.host, Duration{2});
}

// A kernel 10..30 across the step boundary at 20 counts in both steps with its part.
TEST(StepLedger, CutsSegmentsAtStepEnds) {
  StepLedger ledger;
  ledger.work({10}, {10}, {30});
  ledger.close({35}, {40}, ledger.add_call({}));
  const auto steps = ledger.steps({4}, {{20}, {40}});
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].step, Duration{16});
  EXPECT_EQ(steps[0].host, Duration{6});
  EXPECT_EQ(steps[0].compute, Duration{10});
  EXPECT_EQ(steps[1].begin, SimTime{20});
  EXPECT_EQ(steps[1].compute, Duration{10});
  EXPECT_EQ(steps[1].host, Duration{5});
  EXPECT_EQ(steps[1].exposed_comm, Duration{5});
}

// The stream waits from 0 to 50 for call 7: this rank is ready for it at 4, the last one at 20, the
// communicator is free at 30. Then the host waits from 60 to 80 for call 9, which had begun before.
TEST(StepLedger, SaysWhichCallAWaitWasForAndWhy) {
  StepLedger ledger;
  ledger.stream_waited(ledger.add_call({7, {4}, {20}, {30}}));
  ledger.work({0}, {50}, {60});
  ledger.host_blocked({60}, {80}, ledger.add_call({9, {5}, {5}, {5}}));
  ledger.work({80}, {80}, {81});
  const StepAccounting step = only_step(ledger, 0, 81);
  EXPECT_EQ(step.exposed_comm, Duration{70});
  ASSERT_EQ(step.exposed.size(), 2U);
  EXPECT_EQ(step.exposed[0], (ExposedPart{7, Duration{50}, Duration{16}, Duration{10}}));
  EXPECT_EQ(step.exposed[1], (ExposedPart{9, Duration{20}, {}, {}}));
}

}  // namespace
}  // namespace heddle::engine
