// The founding scenario, 15 simulations, in under 100 ms of CPU time once built: reading, planning,
// simulating and printing, in-process. Only an optimised build without sanitizers can tell.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/cpu_time.h"
#include "tests/support/whole_program.h"

namespace heddle::test {
namespace {

TEST(FoundingScenario, TakesUnder100MillisecondsOfCpu) {
  if (!kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {  // the best of five is the least disturbed by other programs
    const double start = cpu_milliseconds();
    ASSERT_EQ(heddle({"run", "scenarios/mistral-7b-4xh200.json"}).code, 0);
    best = std::min(best, cpu_milliseconds() - start);
  }
  RecordProperty("cpu_ms", static_cast<int>(best));
  EXPECT_LT(best, 100.0);
}

}  // namespace
}  // namespace heddle::test
