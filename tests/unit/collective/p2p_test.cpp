#include "sim/collective/p2p.h"

#include <gtest/gtest.h>

#include "sim/collective/network_pairs.h"
#include "tests/support/clusters.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;
using test::bytes_over;

// T = L + (n-1)/n S / (eta B): 1 GB over 8 ports of 0.893 * 370.8 GB/s takes 2642.5 us.
TEST(AllToAll, OnASwitch) {
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  const CollectiveModel model = test::model_of(node, test::first_gpus(8));
  const CollectiveCost cost = model.cost({CollectiveKind::kAllToAll, gigabytes(1)});
  EXPECT_EQ(cost.algorithm, Algorithm::kP2p);
  EXPECT_NEAR((cost.total - cost.latency).seconds(), 0.875 / (0.893 * 370.8), 1e-9);
}

// Bridged quads: a pair has a bundle of its own, which carries S/4, so T = S/4 / (eta bundle).
TEST(AllToAll, OnBridgesEveryPairHasItsOwn) {
  const fabric::Fabric node = test::bridged_quads(test::h200_nvl());
  const CollectiveModel model = test::model_of(node, test::first_gpus(4));
  const CollectiveCost cost = model.cost({CollectiveKind::kAllToAll, gigabytes(1)});
  EXPECT_NEAR((cost.total - cost.latency).seconds(), 0.25 / (0.893 * 123.6), 1e-9);
}

// 16 members, 8 to a machine with a NIC each. Over a NIC: 8/16 S. Over a port into the switch: 7/16
// to the machine's own, 7/16 to the members beside the NICs of other rails (PXN).
TEST(AllToAll, BetweenMachinesKeepsToTheRails) {
  const fabric::Fabric fabric = test::cluster_fabric({});
  const CollectiveModel model = test::model_of(fabric, test::all_gpus(fabric));
  const CollectiveCost cost = model.cost({CollectiveKind::kAllToAll, gigabytes(1)});
  EXPECT_NEAR(bytes_over(fabric, cost, "n0/nic3", "leaf0"), 0.5, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, cost, "leaf0", "n1/nic3"), 0.5, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, cost, "n0/gpu3", "n0/nvswitch0"), 14.0 / 16, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, cost, "n0/nvswitch0", "n0/gpu3"), 14.0 / 16, 1e-9);
}

// Two NICs for eight GPUs: each carries what four members exchange with the other machine.
TEST(AllToAll, FewNicsCarryMore) {
  test::Cluster cluster;
  cluster.nics = 2;
  const fabric::Fabric fabric = test::cluster_fabric(cluster);
  const CollectiveModel model = test::model_of(fabric, test::all_gpus(fabric));
  const CollectiveCost cost = model.cost({CollectiveKind::kAllToAll, gigabytes(1)});
  EXPECT_NEAR(bytes_over(fabric, cost, "n0/nic0", "leaf0"), 0.5 * 8 / 2, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, cost, "n0/nic1", "leaf0"), 0.5 * 8 / 2, 1e-9);
}

// Member 7 sends to member 8 in the next machine and member 15 back to 0, all others to their
// neighbours over the switch.
TEST(SendRecv, OnePathEach) {
  const fabric::Fabric fabric = test::cluster_fabric({});
  const CollectiveModel model = test::model_of(fabric, test::all_gpus(fabric));
  const CollectiveCost cost = model.cost({CollectiveKind::kSendRecv, gigabytes(1)});
  EXPECT_NEAR(bytes_over(fabric, cost, "n0/gpu2", "n0/nvswitch0"), 1, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, cost, "n0/nic7", "leaf0"), 1, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, cost, "n0/nic3", "leaf0"), 0, 1e-9);
  EXPECT_NEAR(bytes_over(fabric, cost, "leaf0", "n1/nic0"), 1, 1e-9);
}

// Inside the machines over host memory, 4 CTAs of 11.75 GB/s = 47; over a NIC whose sockets carry
// 8, in LL half of it data.
TEST(SendRecv, SocketsLimitTheNicBesideStaging) {
  test::Cluster cluster{.nodes = 2, .gpus = 2, .nics = 1, .has_nvswitch = false};
  cluster.machine.comm.network = test::network_of_the_notes();
  CommSettings settings;
  const auto rate = [&] {
    const fabric::Fabric fabric = test::cluster_fabric(cluster);
    const CollectiveModel model = test::model_of(fabric, test::all_gpus(fabric), settings);
    return model.cost({CollectiveKind::kSendRecv, gigabytes(1)}).rate.gb_per_second();
  };
  EXPECT_NEAR(rate(), 47, 0.001);
  cluster.machine.comm.network->per_nic_cap = test::mb_per_s(8'000);
  EXPECT_NEAR(rate(), 8, 0.001);
  settings.protocol = Protocol::kLl;
  EXPECT_NEAR(rate(), 4, 0.001);
}

/// NICs of machine k: k; below leaf k/2, leaves below one spine.
fabric::Fabric two_tiers(int machines) {
  fabric::FabricBuilder builder("network", "H200");
  for (int i = 0; i < machines; ++i) {
    const std::string name = std::to_string(i);
    const auto gpu = builder.add_device({fabric::DeviceKind::kGpu, "gpu" + name, i, 0, 0});
    const auto nic = builder.add_device({fabric::DeviceKind::kNic, "nic" + name, i, 0, 0});
    builder.add_duplex({gpu, nic, fabric::LinkKind::kPcie, test::mb_per_s(50'000), {}, 16});
  }
  const auto add_switch = [&](const std::string& name, int index) {
    return builder.add_device({fabric::DeviceKind::kNetSwitch, name, fabric::kNoNode, 0, index});
  };
  const auto join = [&](fabric::DeviceId a, fabric::DeviceId b) {
    builder.add_duplex({a, b, fabric::LinkKind::kNetwork, test::mb_per_s(50'000), {}, 1});
  };
  const auto spine = add_switch("spine", 99);
  for (int leaf = 0; leaf < machines / 2; ++leaf) {
    const auto id = add_switch("leaf" + std::to_string(leaf), leaf);
    join(id, spine);
    for (int i = 0; i < 2; ++i) {
      join(fabric::DeviceId(static_cast<std::size_t>(4 * leaf + 2 * i + 1)), id);
    }
  }
  return test::frozen(std::move(builder));
}

// Against every pair's own route, with unequal ends.
TEST(NetworkPairs, AreAllPairsAddedUp) {
  const fabric::Fabric fabric = two_tiers(6);
  std::vector<NetworkEnd> ends;
  for (std::size_t i = 0; i < 6; ++i) {
    ends.push_back({fabric::DeviceId(2 * i + 1), static_cast<std::int64_t>(i + 1),
                    static_cast<std::int64_t>(2 * i + 3)});
  }
  LinkLoad fast;
  cross_network_pairs(fast, fabric, ends);
  LinkLoad slow;
  for (const NetworkEnd& from : ends) {
    for (const NetworkEnd& to : ends) {
      for (fabric::LinkId link : fabric.network_route(from.nic, to.nic)) {
        slow.cross(link, Transport::kNetwork, from.senders * to.receivers);
      }
    }
  }
  const Efficiencies all{1, 1, 1, 1};
  EXPECT_EQ(fast.uses({1, 1}, all), slow.uses({1, 1}, all));
}

}  // namespace
}  // namespace heddle::collective
