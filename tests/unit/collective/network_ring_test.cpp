// Rings between machines: rate and latency by hand from the parameters of the notes (eta_network
// 0.955, 2 us per message, NICs of 50 GB/s).

#include <gtest/gtest.h>

#include "tests/support/clusters.h"

namespace heddle::test {
namespace {

using collective::Algorithm;
using collective::CollectiveCost;
using collective::CommSettings;
using collective::Protocol;
using schedule::CollectiveKind;

class NetworkRing : public ::testing::Test {
 protected:
  CollectiveCost cost(CollectiveKind kind = CollectiveKind::kAllReduce) {
    fabric_.emplace(cluster_fabric(cluster_));
    settings_.algorithm = Algorithm::kRing;
    if (!settings_.protocol) settings_.protocol = Protocol::kSimple;
    model_ = model_of(*fabric_, all_gpus(*fabric_), settings_);
    return model_->cost({kind, gigabytes(1)});
  }
  double bus(const CollectiveCost& cost, CollectiveKind kind) const {
    return cost.rate.gb_per_second() *
           collective::CollectiveModel::bus_factor(kind, model_->size());
  }

  Cluster cluster_;
  CommSettings settings_;
  std::optional<fabric::Fabric> fabric_;
  std::optional<collective::CollectiveModel> model_;
};

TEST_F(NetworkRing, OneGpuPerMachineIsLimitedByItsNic) {
  cluster_ = {.nodes = 4, .gpus = 1, .nics = 1};
  const CollectiveCost found = cost();
  EXPECT_EQ(found.transport, collective::Transport::kNetwork);
  // One ring through one NIC: 50 x 0.955 on the bus.
  EXPECT_NEAR(bus(found, CollectiveKind::kAllReduce), 47.75, 0.01);
  EXPECT_EQ(fabric_->link(*found.limiting_link).kind, fabric::LinkKind::kNetwork);
  // 2(N-1) = 6 steps over the network of trees, 14 us and twice 2 us; the 1.4 for large rings
  // chooses.
  EXPECT_EQ(found.latency, nanoseconds(8'400 + 6 * 18'000));
}

TEST_F(NetworkRing, EightNicsAreLimitedByNvlink) {
  const CollectiveCost found = cost();
  // Eight rings, each over every port once: 8 / 8 of the payload. PXN hops count as network:
  // per ring seven NVLink hops of 1/0.893 and, at the member before the gateway, one of 1/0.955.
  // A port out carries 7 crossings at 0.893 and one at 0.955.
  const double busy = (7 / 0.893 + 1 / 0.955) / 8;
  EXPECT_NEAR(bus(found, CollectiveKind::kAllReduce), 370.8 / busy, 0.01);
  // 30 steps, 2 of them between machines; 3.4 us inside is above the post of 3 x 1 us.
  EXPECT_EQ(found.latency, nanoseconds(8'400 + 28 * 3'400 + 2 * 18'000));
}

TEST_F(NetworkRing, FourNicsHoldFourRingsOrMore) {
  cluster_.nics = 4;
  // NICs of 50 on PCIe of 48: 4 x 48 = 192, over NICs 4 x 50 x 0.955 = 191 in all.
  EXPECT_NEAR(bus(cost(), CollectiveKind::kAllReduce), 191, 0.01);
}

TEST_F(NetworkRing, SocketsLimitEveryNic) {
  cluster_ = {.nodes = 2, .gpus = 2, .nics = 1};
  cluster_.machine.comm.network = network_of_the_notes();
  cluster_.machine.comm.network->per_nic_cap = mb_per_s(8'000);
  const CollectiveCost found = cost(CollectiveKind::kAllGather);
  EXPECT_NEAR(bus(found, CollectiveKind::kAllGather), 8.0, 0.001);
  EXPECT_FALSE(found.limiting_link.has_value());
}

// Four hops between the machines, two out of each NIC: 2 x 3/4 of the payload through a NIC of 8.
TEST_F(NetworkRing, SocketsLimitTheHopsThatShareANic) {
  cluster_ = {.nodes = 2, .gpus = 2, .nics = 1};
  cluster_.machine.comm.network = network_of_the_notes();
  cluster_.machine.comm.network->per_nic_cap = mb_per_s(8'000);
  fabric_.emplace(cluster_fabric(cluster_));
  settings_.algorithm = Algorithm::kRing;
  settings_.protocol = Protocol::kSimple;
  settings_.ring_order = collective::RingOrder::kRank;
  const auto g = all_gpus(*fabric_);
  const auto rate = [&] {
    const auto model = model_of(*fabric_, {g[0], g[2], g[1], g[3]}, settings_);
    return model.cost({CollectiveKind::kAllGather, gigabytes(1)}).rate.gb_per_second();
  };
  EXPECT_NEAR(rate(), 8 / 1.5, 0.001);
  settings_.protocol = Protocol::kLl;  // as many flags as data
  EXPECT_NEAR(rate(), 4 / 1.5, 0.001);
}

TEST_F(NetworkRing, LowLatencyProtocolHasItsOwnBarBetweenMachines) {
  settings_.protocol = Protocol::kLl;
  EXPECT_NEAR(bus(cost(), CollectiveKind::kAllReduce), 45, 0.01);
  cluster_.nodes = 3;
  EXPECT_NEAR(bus(cost(), CollectiveKind::kAllReduce), 35, 0.01);
}

TEST_F(NetworkRing, ReduceEndsAtItsRoot) {
  cluster_ = {.nodes = 3, .gpus = 1, .nics = 1};
  const CollectiveCost reduce = cost(CollectiveKind::kReduce);
  std::int64_t into_root = 0;
  for (const collective::LinkUse& use : reduce.uses) {
    const fabric::Link& link = fabric_->link(use.link);
    EXPECT_NE(fabric_->device(link.from).name, "n0/gpu0");
    if (fabric_->device(link.to).name == "n0/gpu0") into_root += use.bytes_ppb;
  }
  EXPECT_EQ(into_root, kPpb);
}

TEST_F(NetworkRing, RankOrderCrossesMachinesAsOftenAsRanksDo) {
  cluster_ = {.nodes = 2, .gpus = 2, .nics = 2};
  fabric_.emplace(cluster_fabric(cluster_));
  settings_.algorithm = Algorithm::kRing;
  settings_.protocol = Protocol::kSimple;
  settings_.ring_order = collective::RingOrder::kRank;
  const auto g = all_gpus(*fabric_);
  const auto model = model_of(*fabric_, {g[0], g[2], g[1], g[3]}, settings_);
  const CollectiveCost found = model.cost({CollectiveKind::kAllGather, gigabytes(1)});
  // n0/gpu0 -> n1/gpu0 -> n0/gpu1 -> n1/gpu1: every NIC sends one hop, no NVLink at all.
  EXPECT_NEAR(found.rate.gb_per_second(), 50 * 0.955 * 4 / 3, 0.01);
  for (const collective::LinkUse& use : found.uses) {
    EXPECT_NE(fabric_->link(use.link).kind, fabric::LinkKind::kNvlink);
  }
}

TEST(NetworkRefusal, EveryMissingPartIsNamed) {
  const auto code = [](const fabric::Fabric& fabric) {
    Diagnostics problems;
    EXPECT_FALSE(
        collective::CollectiveModel::create(fabric, all_gpus(fabric), {}, hopper(), problems));
    return problems.all().front().code;
  };
  Cluster cluster{.nodes = 2, .gpus = 2, .nics = 0};
  EXPECT_EQ(code(cluster_fabric(cluster)), "no-nic");
  cluster.nics = 2;
  cluster.machine.comm.network = fabric::NetworkTransport{};
  EXPECT_EQ(code(cluster_fabric(cluster)), "no-network-efficiency");
}

}  // namespace
}  // namespace heddle::test
