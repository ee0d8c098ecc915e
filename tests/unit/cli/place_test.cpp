#include <gmock/gmock.h>

#include "tests/unit/cli/program.h"

namespace heddle::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using PlaceVerb = Program;

TEST_F(PlaceVerb, SaysWhatToUseAndWhatTheWorstCosts) {
  // Eight GPUs on one switch, four to a socket: two of them share a socket or not.
  const Outcome result = call({"place", path("tiny.json"), "--gpus", "2", "--fabric", "fast"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2 GPUs: 2 placements that the wiring tells apart"));
  EXPECT_THAT(result.out, HasSubstr("use:   CUDA_VISIBLE_DEVICES=0,1"));
  EXPECT_THAT(result.out, HasSubstr("worst: 0,4 takes 1.00x as long"));
}

TEST_F(PlaceVerb, LeavesBusyGpusOut) {
  const Outcome result =
      call({"place", path("tiny.json"), "--gpus", "2", "--fabric", "fast", "--busy", "0,5"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("2 GPUs, not 0,5:"));
  EXPECT_THAT(result.out, HasSubstr("use:   CUDA_VISIBLE_DEVICES=1,2"));
  EXPECT_THAT(result.out, Not(HasSubstr("  0,")));
}

TEST_F(PlaceVerb, AJobThatDoesNotFitIsAUsageError) {
  const Outcome result =
      call({"place", path("tiny.json"), "--gpus", "8", "--fabric", "fast", "--busy", "0"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("8 GPUs are asked for; 7 of 8 are free"));
}

TEST_F(PlaceVerb, UnknownGpusAndFabricsAreUsageErrors) {
  EXPECT_EQ(call({"place", path("tiny.json"), "--gpus", "2", "--busy", "9"}).code, 2);
  EXPECT_EQ(call({"place", path("tiny.json"), "--gpus", "2", "--busy", "x"}).code, 2);
  const Outcome fabric = call({"place", path("tiny.json"), "--gpus", "2", "--fabric", "nowhere"});
  EXPECT_EQ(fabric.code, 2);
  EXPECT_THAT(fabric.err, HasSubstr("unknown fabric \"nowhere\""));
}

}  // namespace
}  // namespace heddle::cli
