// 200 draws of a case in about a second of CPU time, planning and printing included: the plan is
// kept, each draw prices and simulates it anew.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/cpu_time.h"
#include "tests/support/whole_program.h"

namespace heddle::test {
namespace {

/// CPU time of the better of two runs, in milliseconds.
double cpu_of(const std::vector<std::string>& arguments) {
  double best = 1e9;
  for (int i = 0; i < 2; ++i) {
    const double start = cpu_milliseconds();
    const ProgramOutput out = heddle(arguments);
    EXPECT_EQ(out.code, 0) << out.err;
    best = std::min(best, cpu_milliseconds() - start);
  }
  testing::Test::RecordProperty("cpu_ms", static_cast<int>(best));
  return best;
}

// 0.4 s where this was written.
TEST(Draws, TwoHundredOfAFoundingCaseTakeUnderASecondOfCpu) {
  if (!kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  EXPECT_LT(cpu_of({"run", "scenarios/mistral-7b-4xh200.json", "--case", "nvswitch/fsdp", "--draws",
                    "200"}),
            1000);
}

// 0.6 s there: a collective alone needs none of the cluster's links.
TEST(Draws, TwoHundredOnAThousandGpusTakeUnderTwoSecondsOfCpu) {
  if (!kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  EXPECT_LT(cpu_of({"run", "scenarios/mistral-7b-2x8xh200.json", "--case", "infiniband/fsdp",
                    "--set", "fabrics.0.nodes=128", "--draws", "200"}),
            2000);
}

}  // namespace
}  // namespace heddle::test
