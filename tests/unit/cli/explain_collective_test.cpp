#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

using ExplainCollective = Program;

TEST_F(ExplainCollective, GroupsTheRingsAndComparesTheEstimates) {
  const Outcome result = call({"explain", "collective", "switched", "--gpus", "0,1,2,3,4,5,6,7",
                               "--min", "1MiB", "--max", "1MiB"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "6 x ring over ranks 0 -> 1 -> 2");
  expect_text(result.out, "12 channels, 24 CTAs, 360.0 GB/s");
  // Ring LL 28.0 us against 28.9 us of NVLS (choice_test.cpp).
  expect_text(result.out, "ring ll");
  expect_text(result.out, "nvls simple, 28.8");
}

TEST_F(ExplainCollective, TakesSettings) {
  const Outcome result =
      call({"explain", "collective", "switched", "--gpus", "0,1,2,3", "--max-ctas", "3",
            "--ring-order", "nccl", "--nvls", "off", "--min", "1GiB", "--max", "1GiB"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "3 x ring over ranks 0 -> 1 -> 2 -> 3");
}

TEST_F(ExplainCollective, ASingleGpuSendsNothing) {
  const Outcome result = call({"explain", "collective", "switched", "--gpus", "0"});
  EXPECT_EQ(result.code, 0) << result.err;
  expect_text(result.out, "sends nothing");
}

TEST_F(ExplainCollective, AScenarioIsStillExplained) {
  EXPECT_EQ(call({"explain"}).code, 2);
  EXPECT_EQ(call({"explain", path("tiny.json"), "--case", "fast/ddp"}).code, 0);
}

}  // namespace
}  // namespace heddle::cli
