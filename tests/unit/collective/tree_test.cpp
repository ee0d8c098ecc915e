// Loads of trees, worked out by hand from the trees drawn in binary_tree_test.cpp.

#include <gtest/gtest.h>

#include "tests/support/clusters.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;
using test::bytes_over;

constexpr Protocol kSimple = Protocol::kSimple;

CommSettings forced(Algorithm algorithm, Protocol protocol = kSimple) {
  CommSettings settings;
  settings.algorithm = algorithm;
  settings.protocol = protocol;
  return settings;
}

CollectiveCost cost_of(const fabric::Fabric& fabric, const CommSettings& settings,
                       std::optional<CollectiveModel>& model,
                       CollectiveKind kind = CollectiveKind::kAllReduce) {
  model = test::model_of(fabric, test::all_gpus(fabric), settings);
  return model->cost({kind, gigabytes(1)});
}

// Either machine is root of one tree and leaf of the other: S/2 out for each, over 8 rails. A ring
// sends 2 * 15/16 S over them.
TEST(Tree, OnTwoMachinesANicCarriesHalfOfARings) {
  const fabric::Fabric fabric = test::cluster_fabric({});
  std::optional<CollectiveModel> model;
  const CollectiveCost tree = cost_of(fabric, forced(Algorithm::kTree), model);
  EXPECT_NEAR(bytes_over(fabric, tree, "n0/nic3", "leaf0"), 1.0 / 8, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, tree, "leaf0", "n0/nic3"), 1.0 / 8, 1e-9);
  std::optional<CollectiveModel> other;
  const CollectiveCost ring = cost_of(fabric, forced(Algorithm::kRing), other);
  EXPECT_NEAR(bytes_over(fabric, ring, "n0/nic3", "leaf0"), 15.0 / 8 / 8, 1e-9);
}

// Slow NICs: bus = 15/8 * 0.955 * 8 * 10 GB/s = 143 GB/s although the NICs have 80 together.
TEST(Tree, BusBandwidthExceedsTheNicsOnTwoMachines) {
  test::Cluster cluster;
  cluster.nic = test::mb_per_s(10'000);
  const fabric::Fabric fabric = test::cluster_fabric(cluster);
  std::optional<CollectiveModel> model;
  const CollectiveCost tree = cost_of(fabric, forced(Algorithm::kTree), model);
  EXPECT_NEAR(tree.rate.gb_per_second(), 0.955 * 80, 1e-3);
}

// Neighbours in both trees of four: 1+1, 1+3, 3+1, 1+1; each is S/2 in and out over 8 rails.
TEST(Tree, InnerMachinesOfFourCarryTwiceAsMuch) {
  test::Cluster cluster;
  cluster.nodes = 4;
  const fabric::Fabric fabric = test::cluster_fabric(cluster);
  std::optional<CollectiveModel> model;
  const CollectiveCost tree = cost_of(fabric, forced(Algorithm::kTree), model);
  EXPECT_NEAR(bytes_over(fabric, tree, "n0/nic0", "leaf0"), 1.0 / 8, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, tree, "n1/nic0", "leaf0"), 2.0 / 8, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, tree, "leaf0", "n2/nic0"), 2.0 / 8, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, tree, "n3/nic0", "leaf0"), 1.0 / 8, 1e-9);
}

// Hopper's table, base 8.4 us, hop 4 us, network 14 us and twice the wire's 2 us for Simple:
// 8.4 + 2 (7 * 4 + 1 * 18) = 100.4 us on two machines of eight, 8.4 + 2 * 7 * 4 = 64.4 us on one.
TEST(Tree, LatencyIsNccls) {
  const fabric::Fabric fabric = test::cluster_fabric({});
  std::optional<CollectiveModel> model;
  EXPECT_EQ(cost_of(fabric, forced(Algorithm::kTree), model).latency, nanoseconds(100'400));
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  model = test::model_of(node, test::first_gpus(8), forced(Algorithm::kTree));
  EXPECT_EQ(model->cost({CollectiveKind::kAllReduce, Bytes{8}}).latency, nanoseconds(64'400));
}

// Ports: (1 + 1/8) S each way. NICs: two machines, one neighbour in each tree, S/(2 * 8) for each.
TEST(NvlsTree, LoadsPortsAndNics) {
  const fabric::Fabric fabric = test::cluster_fabric({});
  std::optional<CollectiveModel> model;
  const CollectiveCost cost = cost_of(fabric, forced(Algorithm::kNvlsTree), model);
  EXPECT_EQ(cost.algorithm, Algorithm::kNvlsTree);
  EXPECT_NEAR(bytes_over(fabric, cost, "n0/gpu5", "n0/nvswitch0"), 9.0 / 8, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, cost, "n1/nvswitch0", "n1/gpu5"), 9.0 / 8, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, cost, "n0/nic5", "leaf0"), 1.0 / 8, 1e-9);
  // The ports limit: 0.81 * 370.8 / (9/8) = 267 GB/s, where the NICs would allow 382.
  EXPECT_NEAR(cost.rate.gb_per_second(), 0.81 * 370.8 * 8 / 9, 1e-3);
}

TEST(NvlsTree, NeedsSeveralMachines) {
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  Diagnostics problems;
  EXPECT_FALSE(CollectiveModel::create(node, test::first_gpus(8), forced(Algorithm::kNvlsTree),
                                       test::hopper(), problems)
                   .has_value());
  EXPECT_EQ(problems.all().front().code, "no-nvlstree");
}

// Every NIC sends and receives 3/4 of the gathered whole; five ranks: 4/5 (parts over distances
// 1, 2 and 4: 2 + 1 + 1).
TEST(Pat, LoadsNicsAsARingDoes) {
  for (int nodes : {4, 5}) {
    test::Cluster cluster;
    cluster.nodes = nodes;
    cluster.gpus = cluster.nics = 1;
    cluster.has_nvswitch = false;
    const fabric::Fabric fabric = test::cluster_fabric(cluster);
    std::optional<CollectiveModel> model;
    for (CollectiveKind kind : {CollectiveKind::kAllGather, CollectiveKind::kReduceScatter}) {
      const CollectiveCost cost = cost_of(fabric, forced(Algorithm::kPat), model, kind);
      EXPECT_EQ(cost.algorithm, Algorithm::kPat);
      const double share = (nodes - 1.0) / nodes;
      EXPECT_NEAR(bytes_over(fabric, cost, "n2/nic0", "leaf0"), share, 1e-9);
      EXPECT_NEAR(bytes_over(fabric, cost, "leaf0", "n2/nic0"), share, 1e-9);
    }
  }
}

TEST(Pat, NeedsOneGpuPerMachine) {
  test::Cluster cluster;
  cluster.gpus = cluster.nics = 2;
  const fabric::Fabric fabric = test::cluster_fabric(cluster);
  Diagnostics problems;
  EXPECT_FALSE(CollectiveModel::create(fabric, test::all_gpus(fabric), forced(Algorithm::kPat),
                                       test::hopper(), problems)
                   .has_value());
  EXPECT_EQ(problems.all().front().code, "no-pat");
}

}  // namespace
}  // namespace heddle::collective
