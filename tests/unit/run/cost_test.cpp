// Money and energy of a step worked out by hand.

#include "sim/run/cost/cost.h"

#include <gtest/gtest.h>

namespace heddle::run {
namespace {

/// 4 GPUs, a step of 0.5 s: 0.3 s of kernels, 0.1 s waiting for the wire, 2000 tokens.
CaseResult half_second() {
  CaseResult result;
  result.ranks = 4;
  result.step_time = milliseconds(500);
  result.accounting.compute = milliseconds(300);
  result.accounting.exposed_comm = milliseconds(100);
  result.tokens_per_second = 4000;
  result.samples_per_second = 40;
  return result;
}

CostChoice three_per_hour() {
  CostChoice choice;
  choice.price = 3;
  choice.currency = "EUR";
  choice.power_busy = 700;
  choice.power_idle = 100;
  choice.pue = 1.2;
  return choice;
}

TEST(Cost, OfAStep) {
  const CostReport report = cost_of(three_per_hour(), {}, half_second(), false);
  EXPECT_DOUBLE_EQ(report.step.all.hours, 0.5 / 3600);
  EXPECT_DOUBLE_EQ(report.step.all.money, 4 * 3 * 0.5 / 3600);
  // 4 * (700 W * 0.3 s + 100 W * 0.2 s) * 1.2 = 1104 J
  EXPECT_NEAR(*report.step.all.kwh, 1104 / 3.6e6, 1e-15);
  EXPECT_DOUBLE_EQ(report.step.waiting.money, report.step.all.money / 5);
  EXPECT_NEAR(*report.step.waiting.kwh, 4 * 100 * 0.1 * 1.2 / 3.6e6, 1e-15);
  EXPECT_FALSE(report.epoch);
  EXPECT_FALSE(report.run);
}

TEST(Cost, OfAMillionTokensAnEpochAndARun) {
  CostChoice choice = three_per_hour();
  choice.dataset = RunLength{RunLength::Unit::kTokens, 1e6};
  choice.run = RunLength{RunLength::Unit::kEpochs, 2};
  const CostReport report = cost_of(choice, {}, half_second(), false);
  EXPECT_DOUBLE_EQ(report.million.all.money, 500 * report.step.all.money);  // 2000 tokens a step
  EXPECT_DOUBLE_EQ(report.epoch->all.money, report.million.all.money);
  EXPECT_DOUBLE_EQ(report.run_steps, 1000);
  EXPECT_DOUBLE_EQ(report.run->all.hours, 500.0 / 3600);
  choice.run = RunLength{RunLength::Unit::kSteps, 7};
  EXPECT_DOUBLE_EQ(cost_of(choice, {}, half_second(), false).run->all.hours, 3.5 / 3600);
}

TEST(Cost, OfImagesCountsSamples) {
  CostChoice choice = three_per_hour();
  choice.dataset = RunLength{RunLength::Unit::kSamples, 2000};  // 20 a step
  EXPECT_DOUBLE_EQ(cost_of(choice, {}, half_second(), true).epoch->all.hours, 50.0 / 3600);
}

TEST(Cost, PowerOfTheGpuServesWhereTheScenarioSaysNothing) {
  CostChoice choice = three_per_hour();
  choice.power_busy.reset();
  EXPECT_EQ(cost_of(choice, {50, 400, ""}, half_second(), false).power_busy, 400);
  EXPECT_EQ(cost_of(choice, {50, 400, ""}, half_second(), false).power_idle, 100);
  EXPECT_FALSE(cost_of(choice, {}, half_second(), false).step.all.kwh);
}

TEST(Cost, RefusesWhatItCannotCount) {
  CostChoice choice = three_per_hour();
  choice.run = RunLength{RunLength::Unit::kEpochs, 2};
  EXPECT_NE(cost_problem(choice, false), "");
  choice.dataset = RunLength{RunLength::Unit::kTokens, 1e6};
  EXPECT_EQ(cost_problem(choice, false), "");
  EXPECT_NE(cost_problem(choice, true), "");
}

}  // namespace
}  // namespace heddle::run
