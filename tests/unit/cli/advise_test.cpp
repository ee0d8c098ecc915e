// heddle advise: the best way to run a job, said so that it can be launched.

#include <gtest/gtest.h>

#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

using AdviseTest = Program;

TEST_F(AdviseTest, NamesTheBestAndHowToLaunchIt) {
  const Outcome out = call({"advise", path("tiny.json"), "--fabric", "fast", "--top", "3"});
  ASSERT_EQ(out.code, 0) << out.err;
  expect_text(out.out, "Fastest that fit:");
  expect_text(out.out, "kernels alone take");
  expect_text(out.out, "CUDA_VISIBLE_DEVICES=0,1,2,3");
  expect_text(out.out, "To launch 1");
}

TEST_F(AdviseTest, WritesTheSameAsJson) {
  const Outcome out = call({"advise", path("tiny.json"), "--fabric", "fast", "--objective",
                            "memory", "--format", "json"});
  ASSERT_EQ(out.code, 0) << out.err;
  expect_text(out.out, R"("schema": "heddle.advice/1")");
  expect_text(out.out, R"("verdict": "fits")");
}

TEST_F(AdviseTest, SaysWhatNeedsLeastWhereNothingFits) {
  const Outcome out =
      call({"advise", path("tiny.json"), "--fabric", "slow", "--memory-cap", "1 MB"});
  ASSERT_EQ(out.code, 0) << out.err;
  expect_text(out.out, "Nothing is sure to fit. What needs least:");
}

TEST_F(AdviseTest, AsksWhichMachineIsMeant) {
  const Outcome out = call({"advise", path("tiny.json")});
  EXPECT_EQ(out.code, 2);
  expect_text(out.err, "--fabric fast");
  expect_text(call({"advise", path("tiny.json"), "--fabric", "fats"}).err, "\"fast\"");
}

TEST_F(AdviseTest, RefusesCostWithoutPrices) {
  const Outcome out =
      call({"advise", path("tiny.json"), "--fabric", "fast", "--objective", "cost"});
  EXPECT_EQ(out.code, 2);
  expect_text(out.err, "no prices");
  EXPECT_EQ(call({"advise", path("tiny.json"), "--fabric", "fast", "--objective", "cost", "--set",
                  R"(cost={"price": "2 EUR/GPU-hour"})"})
                .code,
            0);
}

TEST_F(AdviseTest, RefusesACapThatIsNoQuantity) {
  EXPECT_EQ(call({"advise", path("tiny.json"), "--fabric", "fast", "--memory-cap", "80"}).code, 2);
}

}  // namespace
}  // namespace heddle::cli
