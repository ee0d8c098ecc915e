// What NCCL would choose. H200 SXM, NVSwitch; estimates by hand in the comments.

#include <gtest/gtest.h>

#include "tests/support/collective_machines.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

class Choice : public ::testing::Test {
 protected:
  CollectiveCost cost(std::size_t ranks, Bytes bytes,
                      CollectiveKind kind = CollectiveKind::kAllReduce) {
    model_ = test::model_of(node_, test::first_gpus(ranks), settings_);
    return model_->cost({kind, bytes});
  }

  fabric::Fabric node_ = test::nvswitch_node(test::h200_sxm());
  CommSettings settings_;
  std::optional<CollectiveModel> model_;
};

TEST_F(Choice, SwitchReductionFromSixGpusUp) {
  // Ring 6 x 60 = 360 at every n. NVLS: n = 5: head 60 (6 x 60 <= 370.8), 5 x min(81.6, 60) = 300;
  // n = 6: head 50, 6 x min(70.8, 60) = 360, a tie that the latency decides (25 against 42.4 us);
  // n = 8: head 40, 8 x 59.5 = 476.
  EXPECT_EQ(cost(5, gibibytes(1)).algorithm, Algorithm::kRing);
  EXPECT_EQ(cost(6, gibibytes(1)).algorithm, Algorithm::kNvls);
  EXPECT_EQ(cost(8, gibibytes(1)).algorithm, Algorithm::kNvls);
}

TEST_F(Choice, LowLatencyProtocolToOneMebibyte) {
  // LL: 6.6 + 14 x 0.6 = 15.0 us and 141 / 1.75 = 80.6 GB/s; NVLS: 25 us and 476 / 1.75 = 272 GB/s.
  // 1 MiB: 28.0 against 28.9 us; 2 MiB: 41.0 against 32.7 us.
  const CollectiveCost small = cost(8, mebibytes(1));
  EXPECT_EQ(small.algorithm, Algorithm::kRing);
  EXPECT_EQ(small.protocol, Protocol::kLl);
  EXPECT_EQ(small.latency, nanoseconds(15'000));
  EXPECT_NEAR(small.total.seconds() * 1e6, 28.0, 0.05);
  EXPECT_EQ(cost(8, mebibytes(2)).algorithm, Algorithm::kNvls);
}

TEST_F(Choice, LlIsHalfARingUntilItsCap) {
  settings_.protocol = Protocol::kLl;
  // 370.8 x 0.893 / 2 = 165.6 is above the cap of 141 GB/s bus: 141 x 8/14 = 80.57 of payload.
  const CollectiveCost capped = cost(8, gibibytes(1));
  EXPECT_NEAR(capped.rate.gb_per_second(), 80.57, 0.01);
  EXPECT_FALSE(capped.limiting_link.has_value());
}

TEST_F(Choice, GatherAndScatterStayOnRings) {
  settings_.algorithm = Algorithm::kNvls;
  const CollectiveCost gather = cost(8, gibibytes(1), CollectiveKind::kAllGather);
  EXPECT_EQ(gather.algorithm, Algorithm::kRing);
  // Payload rate 331.12 x 8/7 = 378.4 GB/s; latency 8.4 + 7 x 3.4 = 32.2 us.
  EXPECT_NEAR(gather.rate.gb_per_second(), 378.4, 0.1);
  EXPECT_EQ(gather.latency, nanoseconds(32'200));
  EXPECT_EQ(cost(2, gibibytes(1)).algorithm, Algorithm::kNvls);
}

TEST_F(Choice, OverrideWins) {
  settings_.algorithm = Algorithm::kRing;
  const CollectiveCost ring = cost(8, gigabytes(1));
  EXPECT_EQ(ring.algorithm, Algorithm::kRing);
  EXPECT_EQ(ring.protocol, Protocol::kSimple);
  EXPECT_EQ(ring.channels, 24);  // 6 rings, split (60 >= 50), doubled
  ASSERT_TRUE(ring.limiting_link.has_value());
  EXPECT_EQ(node_.link(*ring.limiting_link).kind, fabric::LinkKind::kNvlink);
}

TEST_F(Choice, EveryWayIsListedWithBothTimes) {
  cost(8, mebibytes(1));
  const auto ways = model_->choices({CollectiveKind::kAllReduce, mebibytes(1)});
  ASSERT_EQ(ways.size(), 7U);  // ring and tree LL, LL128, Simple; NVLS
  EXPECT_TRUE(ways[0].is_chosen);
  EXPECT_NEAR(ways[0].estimate.seconds() * 1e6, 28.0, 0.05);
  EXPECT_NEAR(ways[6].estimate.seconds() * 1e6, 28.9, 0.05);
  // 25 us and 1 MiB over 370.8 x 0.81 x 8/9 = 267 GB/s.
  EXPECT_NEAR(ways[6].time.seconds() * 1e6, 28.93, 0.05);
  EXPECT_TRUE(model_->choices({CollectiveKind::kAllReduce, Bytes{0}}).empty());
}

TEST_F(Choice, NothingToDoTakesNoTime) {
  EXPECT_EQ(cost(1, gigabytes(1)).total, Duration{});
  EXPECT_TRUE(cost(1, gigabytes(1)).uses.empty());
  EXPECT_EQ(cost(8, Bytes{0}).total, Duration{});
}

TEST(PcieRing, PeersBelowOneSwitch) {
  const fabric::Fabric node = test::pcie_node(test::h200_nvl());
  const CollectiveModel model = test::model_of(node, test::first_gpus(4));
  const CollectiveCost cost = model.cost({CollectiveKind::kAllReduce, gigabytes(1)});
  EXPECT_EQ(cost.transport, Transport::kPcie);
  // 55 x 0.9 = 49.5 on the bus, 49.5 x 4/6 = 33 of payload; 8.4 + 6 x 5.7 = 42.6 us.
  EXPECT_NEAR(cost.rate.gb_per_second(), 33.0, 0.001);
  EXPECT_EQ(cost.latency, nanoseconds(42'600));
}

}  // namespace
}  // namespace heddle::collective
