// A communicator of 4,096 GPUs over a fat tree is made in under a second of CPU time.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/clusters.h"
#include "tests/support/cpu_time.h"

namespace heddle::test {
namespace {

TEST(Cluster, CommunicatorOf4096GpusTakesUnderASecondOfCpu) {
  if (!kMeasures) GTEST_SKIP() << "speed is measured in the release preset only";
  const fabric::Fabric fabric = cluster_fabric({.nodes = 512, .is_rail_optimised = true});
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {  // the best of three is the least disturbed by other programs
    const double start = cpu_milliseconds();
    EXPECT_EQ(model_of(fabric, all_gpus(fabric)).size(), 4'096);
    best = std::min(best, cpu_milliseconds() - start);
  }
  RecordProperty("cpu_ms", static_cast<int>(best));
  EXPECT_LT(best / 1e3, 1.0);
}

}  // namespace
}  // namespace heddle::test
