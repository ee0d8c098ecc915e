// The founding all-reduce measurements. Predictions are worked out by hand from the parameters of
// comm_of_the_notes(); each must also lie within 5 % of what was measured.

#include <gtest/gtest.h>

#include "tests/support/collective_machines.h"

namespace heddle::test {
namespace {

// Large enough for latency to be under 0.2 % everywhere.
constexpr collective::CollectiveRequest kLarge{schedule::CollectiveKind::kAllReduce, gigabytes(64)};

void expect_bus(double predicted, double measured, double by_hand) {
  EXPECT_NEAR(predicted, by_hand, 0.002 * by_hand);
  EXPECT_NEAR(predicted, measured, 0.05 * measured);
}

TEST(MeasuredBusBandwidth, TwoGpusOnAnNvswitchRunARing) {
  const fabric::Fabric node = nvswitch_node(h200_sxm());
  // 18 x 20.6 x 0.893 = 331.1
  expect_bus(bus_gb_per_s(model_of(node, first_gpus(2)), kLarge), 330, 331.1);
}

TEST(MeasuredBusBandwidth, EightGpusOnAnNvswitchReduceInTheSwitch) {
  const fabric::Fabric node = nvswitch_node(h200_sxm());
  const collective::CollectiveModel model = model_of(node, first_gpus(8));
  EXPECT_EQ(model.cost(kLarge).algorithm, collective::Algorithm::kNvls);
  // 370.8 x 0.81 x 14/9 = 467.2
  expect_bus(bus_gb_per_s(model, kLarge), 467, 467.2);
}

TEST(MeasuredBusBandwidth, BridgedPairAndQuad) {
  const fabric::Fabric node = bridged_quads(h200_nvl());
  // 123.6 x 0.893 = 110.4
  expect_bus(bus_gb_per_s(model_of(node, first_gpus(2)), kLarge), 114, 110.4);
  // Six rings use every arc twice: 6/2 x 123.6 x 0.893 = 331.1
  expect_bus(bus_gb_per_s(model_of(node, first_gpus(4)), kLarge), 322, 331.1);
}

TEST(MeasuredBusBandwidth, AcrossQuadsThroughHostMemory) {
  const fabric::Fabric node = bridged_quads(h200_nvl());
  // 41.5 x 2/3 = 27.67, x 6/7 = 35.57, x 14/15 = 38.73
  expect_bus(bus_gb_per_s(model_of(node, gpus({0, 4})), kLarge), 28, 27.67);
  expect_bus(bus_gb_per_s(model_of(node, gpus({0, 1, 4, 5})), kLarge), 35, 35.57);
  expect_bus(bus_gb_per_s(model_of(node, first_gpus(8)), kLarge), 39, 38.73);
}

TEST(MeasuredBusBandwidth, ForcedPcieIsTenToElevenTimesSlower) {
  const fabric::Fabric node = nvswitch_node(h200_sxm());
  collective::CommSettings no_p2p;
  no_p2p.p2p = false;
  const collective::CollectiveModel staged = model_of(node, first_gpus(2), no_p2p);
  EXPECT_EQ(staged.cost(kLarge).transport, collective::Transport::kHostMemory);
  // One socket: 47 x 2/3 = 31.33; 331.1 / 31.33 = 10.57
  const double ratio =
      bus_gb_per_s(model_of(node, first_gpus(2)), kLarge) / bus_gb_per_s(staged, kLarge);
  EXPECT_NEAR(ratio, 10.57, 0.03);
}

}  // namespace
}  // namespace heddle::test
