// A communicator of 4,096 GPUs over a fat tree is made in under a second of CPU time.

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "tests/support/clusters.h"

namespace heddle::test {
namespace {

#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
constexpr bool kMeasures = true;
#else
constexpr bool kMeasures = false;
#endif

TEST(Cluster, CommunicatorOf4096GpusTakesUnderASecondOfCpu) {
  if (!kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  const fabric::Fabric fabric = cluster_fabric({.nodes = 512, .is_rail_optimised = true});
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {  // the best of three is the least disturbed by other programs
    const std::clock_t start = std::clock();
    EXPECT_EQ(model_of(fabric, all_gpus(fabric)).size(), 4'096);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  RecordProperty("cpu_ms", static_cast<int>(best * 1e3));
  EXPECT_LT(best, 1.0);
}

}  // namespace
}  // namespace heddle::test
