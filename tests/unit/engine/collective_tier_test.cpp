#include "sim/engine/collective_tier.h"

#include <gtest/gtest.h>

#include "tests/support/collective_machines.h"

namespace heddle::engine {
namespace {

using collective::Algorithm;
using schedule::CollectiveKind;

collective::CommSettings on_rings() {
  collective::CommSettings settings;
  settings.algorithm = Algorithm::kRing;
  settings.protocol = collective::Protocol::kSimple;
  return settings;
}

// 4 GB: the step tier ends one pipeline fill later than the steady state of the others.
TEST(CollectiveTier, AllAgreeOnALargeRing) {
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  const collective::NcclTuning tuning = test::hopper();
  const TierInput input{node, test::first_gpus(8), on_rings(), tuning};
  for (CollectiveKind kind : {CollectiveKind::kAllReduce, CollectiveKind::kAllGather}) {
    Diagnostics problems;
    const collective::CollectiveRequest request{kind, gigabytes(4)};
    const auto closed = collective_time(input, request, Tier::kClosed, problems);
    const auto fluid = collective_time(input, request, Tier::kFluid, problems);
    const auto step = collective_time(input, request, Tier::kStep, problems);
    ASSERT_TRUE(closed && fluid && step);
    EXPECT_NEAR(fluid->seconds(), closed->seconds(), 1e-9);
    EXPECT_NEAR(step->seconds() / closed->seconds(), 1, 0.02);
  }
}

TEST(CollectiveTier, FluidIsClosedForWhatDoesNotRunOnRings) {
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  const collective::NcclTuning tuning = test::hopper();
  const TierInput input{node, test::first_gpus(8), {}, tuning};
  Diagnostics problems;
  const collective::CollectiveRequest request{CollectiveKind::kAllToAll, gigabytes(1)};
  const auto closed = collective_time(input, request, Tier::kClosed, problems);
  const auto fluid = collective_time(input, request, Tier::kFluid, problems);
  ASSERT_TRUE(closed && fluid);
  EXPECT_NEAR(fluid->seconds(), closed->seconds(), 1e-9);
  EXPECT_FALSE(collective_time(input, request, Tier::kStep, problems).has_value());
  EXPECT_EQ(problems.all().front().code, "no-step-level");
}

}  // namespace
}  // namespace heddle::engine
