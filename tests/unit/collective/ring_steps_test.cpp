// The step level of real rings against the closed form: two roads to the same number.

#include "sim/collective/ring_steps.h"

#include <gtest/gtest.h>

#include "tests/support/clusters.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

/// Walked over closed, both on rings and without the latency.
double ratio(const fabric::Fabric& fabric, const std::vector<fabric::DeviceId>& members,
             CollectiveKind kind, CommSettings settings = {}) {
  settings.algorithm = Algorithm::kRing;
  settings.protocol = Protocol::kSimple;
  const CollectiveRequest request{kind, gigabytes(4)};
  Diagnostics problems;
  const auto walked = ring_step_time(fabric, members, settings, test::hopper(), request, problems);
  const CollectiveCost closed = test::model_of(fabric, members, settings).cost(request);
  EXPECT_TRUE(walked.has_value());
  return (walked.value_or(Duration{}) - closed.latency).seconds() /
         (closed.total - closed.latency).seconds();
}

// Many channels share a port, so the link is the limit, and the walk ends one pipeline fill later.
TEST(RingSteps, LinksLimitOnASwitchAndOnBridges) {
  const fabric::Fabric sxm = test::nvswitch_node(test::h200_sxm());
  const fabric::Fabric nvl = test::bridged_quads(test::h200_nvl());
  for (CollectiveKind kind :
       {CollectiveKind::kAllReduce, CollectiveKind::kAllGather, CollectiveKind::kReduceScatter}) {
    EXPECT_NEAR(ratio(sxm, test::first_gpus(8), kind), 1, 0.02);
    EXPECT_NEAR(ratio(sxm, test::first_gpus(2), kind), 1, 0.02);
    EXPECT_NEAR(ratio(nvl, test::first_gpus(4), kind), 1, 0.03);
  }
}

// All staged: every operation takes as long, and the walk is the closed form's serial-CTA law.
TEST(RingSteps, CtasLimitThroughHostMemory) {
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  CommSettings settings;
  settings.p2p = false;
  for (std::size_t n : {2U, 4U}) {
    EXPECT_NEAR(ratio(node, test::first_gpus(n), CollectiveKind::kAllReduce, settings), 1, 0.02);
    EXPECT_NEAR(ratio(node, test::first_gpus(n), CollectiveKind::kAllGather, settings), 1, 0.02);
  }
}

TEST(RingSteps, BetweenMachinesToo) {
  const fabric::Fabric fabric = test::cluster_fabric({});
  EXPECT_NEAR(ratio(fabric, test::all_gpus(fabric), CollectiveKind::kAllReduce), 1, 0.05);
}

TEST(RingSteps, OtherKindsAreRefused) {
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  Diagnostics problems;
  EXPECT_FALSE(ring_step_time(node, test::first_gpus(4), {}, test::hopper(),
                              {CollectiveKind::kAllToAll, gigabytes(1)}, problems)
                   .has_value());
  EXPECT_EQ(problems.all().front().code, "no-step-level");
}

}  // namespace
}  // namespace heddle::collective
