// fp16 with loss scaling, as DeepSpeed trains: what bf16 holds, and a check of every step's
// gradients.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/parallel/plans.h"

namespace heddle::parallel {
namespace {

using schedule::MemoryCategory;
using schedule::OpKind;
using schedule::Schedule;

testing::Setting in(model::Precision precision) {
  testing::Setting setting;
  setting.precision = precision;
  return setting;
}

class ZeroStage : public ::testing::TestWithParam<std::string> {
 protected:
  Schedule plan(model::Precision precision) const {
    return testing::plan(GetParam(), "deepspeed", in(precision));
  }
};

TEST_P(ZeroStage, HoldsInFp16WhatItHoldsInBf16) {
  EXPECT_EQ(testing::resident(plan(model::Precision::kFloat16)),
            testing::resident(plan(model::Precision::kBFloat16)));
}

TEST_P(ZeroStage, SendsTheSameBytesInFp16) {
  const Schedule half = plan(model::Precision::kFloat16);
  EXPECT_EQ(testing::traffic(half), testing::traffic(plan(model::Precision::kBFloat16)));
  for (const schedule::Collective& call : half.collectives) {
    if (call.bytes.value <= 4) continue;  // norm and overflow
    EXPECT_EQ(call.dtype, schedule::DType::kFloat16);
  }
}

// The host waits for the verdict on the gradients before it issues the step.
TEST_P(ZeroStage, WaitsForTheOverflowCheck) {
  const auto waits = [](const Schedule& s) {
    int count = 0;
    for (const schedule::Op& op : s.programs[0].ops) {
      const schedule::Phase phase = s.label(op.label).phase;
      count += op.kind == OpKind::kHostWait && phase == schedule::Phase::kOptimizer ? 1 : 0;
    }
    return count;
  };
  const Schedule half = plan(model::Precision::kFloat16);
  EXPECT_EQ(waits(half), waits(plan(model::Precision::kBFloat16)) + half.steps);
}

INSTANTIATE_TEST_SUITE_P(DeepSpeed, ZeroStage, ::testing::Values("zero1", "zero2", "zero3"),
                         [](const auto& c) { return c.param; });

// FP16_Optimizer shards nothing: fp32 masters and moments, 12 bytes per parameter, on every rank;
// the gradients are gone after the step, which held them in fp32 twice.
TEST(ZeroOff, KeepsMastersWholeInFp16) {
  const Schedule s = testing::plan("zero0", "deepspeed", in(model::Precision::kFloat16));
  const testing::CategoryBytes state = testing::resident(s);
  EXPECT_EQ(testing::of(state, MemoryCategory::kParameters), 2 * testing::kParams);
  EXPECT_EQ(testing::of(state, MemoryCategory::kOptimizer), 12 * testing::kParams);
  EXPECT_EQ(testing::of(state, MemoryCategory::kGradients), 0);
  EXPECT_EQ(testing::traffic(s)[schedule::CollectiveKind::kAllReduce], 2 * testing::kParams);
}

TEST(Fp16, IsRefusedWhereNobodyKeepsMasters) {
  using ::testing::HasSubstr;
  const testing::Setting setting = in(model::Precision::kFloat16);
  for (const auto& [strategy, dialect] :
       {std::pair{"ddp", "pytorch-ddp"}, std::pair{"fsdp", "fsdp1"}, std::pair{"fsdp", "fsdp2"}}) {
    EXPECT_THAT(testing::refusal(strategy, dialect, setting), HasSubstr("autocast_fp16"));
  }
}

}  // namespace
}  // namespace heddle::parallel
