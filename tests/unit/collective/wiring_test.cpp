#include "sim/collective/wiring.h"

#include <gtest/gtest.h>

#include "tests/support/clusters.h"

namespace heddle::collective {
namespace {

using fabric::PathType;
using test::wiring_of;

std::vector<std::string> names(const fabric::Fabric& fabric, const Hop& hop) {
  std::vector<std::string> names;
  for (fabric::LinkId link : hop.links) names.push_back(fabric.link_name(link));
  return names;
}

using Names = std::vector<std::string>;

TEST(Wiring, GroupsMembersByMachineInOrderOfAppearance) {
  const fabric::Fabric fabric = test::cluster_fabric({.nodes = 2, .gpus = 2, .nics = 2});
  const auto g = test::all_gpus(fabric);
  const Wiring wiring = wiring_of(fabric, {g[3], g[0], g[2]});
  EXPECT_EQ(wiring.machine_count(), 2);
  EXPECT_EQ(wiring.node_of(0), 1);
  EXPECT_EQ(wiring.machine_of(2), 0);
  EXPECT_EQ(wiring.local(2), 1);
  EXPECT_EQ(wiring.members_of(1).front(), 1);
  EXPECT_EQ(wiring.rail_count(), 1);  // the second machine takes part with one GPU
}

TEST(Wiring, HopsBetweenMachinesPassTheNicsOfTheirRail) {
  const fabric::Fabric fabric =
      test::cluster_fabric({.nodes = 2, .gpus = 2, .nics = 2, .is_rail_optimised = true});
  const Wiring wiring = wiring_of(fabric, test::all_gpus(fabric));
  EXPECT_EQ(names(fabric, wiring.network_hop(1, 3, 1, 1)),
            (Names{"n0/gpu1 -> n0/pcie1", "n0/pcie1 -> n0/nic1", "n0/nic1 -> leaf1",
                   "leaf1 -> n1/nic1", "n1/nic1 -> n1/pcie1", "n1/pcie1 -> n1/gpu1"}));
  // gpu0 reaches nic1 through gpu1 over NVLink (PXN).
  EXPECT_EQ(wiring.egress_path(0, 1), PathType::kPxn);
  EXPECT_EQ(names(fabric, wiring.network_hop(0, 3, 1, 1)),
            (Names{"n0/gpu0 -> n0/nvswitch0", "n0/nvswitch0 -> n0/gpu1", "n0/gpu1 -> n0/pcie1",
                   "n0/pcie1 -> n0/nic1", "n0/nic1 -> leaf1", "leaf1 -> n1/nic1",
                   "n1/nic1 -> n1/pcie1", "n1/pcie1 -> n1/gpu1"}));
  // Each end through its own NIC: from leaf 0 to leaf 1 over the spine.
  EXPECT_EQ(wiring.any_hop(0, 3).links.size(), 8U);
  EXPECT_EQ(fabric.link_name(wiring.any_hop(0, 3).links[3]), "leaf0 -> spine");
}

TEST(Wiring, WithoutGpuDirectTheBytesPassTheCpu) {
  test::Cluster cluster{.nodes = 2, .gpus = 2, .nics = 2};
  cluster.machine.comm.network = test::network_of_the_notes();
  cluster.machine.comm.network->gpu_direct = false;
  const fabric::Fabric fabric = test::cluster_fabric(cluster);
  const Wiring wiring = wiring_of(fabric, test::all_gpus(fabric));
  const Names all = names(fabric, wiring.network_hop(0, 2, 0, 0));
  EXPECT_EQ(all[1], "n0/pcie0 -> n0/cpu0");
  EXPECT_EQ(all[2], "n0/cpu0 -> n0/pcie0");
}

TEST(Wiring, NicsNearestToTheMembersAreUsed) {
  // Four NICs for eight GPUs: nic1 is near gpu2. gpu3 has none below its switch: all four are
  // equally far over the CPU.
  const fabric::Fabric fabric = test::cluster_fabric({.nodes = 2, .gpus = 8, .nics = 4});
  const auto g = test::all_gpus(fabric);
  const Wiring wiring = wiring_of(fabric, {g[2], g[4], g[10], g[12]});
  ASSERT_EQ(wiring.rail_count(), 2);
  EXPECT_EQ(fabric.device(wiring.ports(0)[0].nic).name, "n0/nic1");
  EXPECT_EQ(fabric.device(wiring.ports(0)[1].nic).name, "n0/nic2");
  EXPECT_EQ(wiring.ports(1)[1].gateway, 3);
}

TEST(PathRules, LevelMovesTheBarForPeerToPeer) {
  const fabric::Fabric node = test::bridged_quads(test::h200_nvl());
  CommSettings settings;
  EXPECT_EQ(wiring_of(node, test::gpus({0, 4})).hop(0, 1).transport, Transport::kHostMemory);
  settings.p2p_level = PathType::kSys;
  EXPECT_EQ(wiring_of(node, test::gpus({0, 4}), settings).hop(0, 1).transport, Transport::kPcie);
  settings.p2p_level = PathType::kLocal;
  EXPECT_EQ(wiring_of(node, test::gpus({0, 1}), settings).hop(0, 1).transport,
            Transport::kHostMemory);
}

TEST(PathRules, WithoutHostMemoryStagedPairsTakeTheNetwork) {
  CommSettings settings;
  settings.p2p = false;
  settings.shm = false;
  const fabric::Fabric fabric = test::cluster_fabric({.nodes = 2, .gpus = 2, .nics = 2});
  const auto g = test::all_gpus(fabric);
  const Hop hop = wiring_of(fabric, {g[0], g[1]}, settings).hop(0, 1);
  EXPECT_EQ(hop.transport, Transport::kNetwork);
  EXPECT_EQ(names(fabric, hop),
            (Names{"n0/gpu0 -> n0/pcie0", "n0/pcie0 -> n0/nic0", "n0/nic0 -> leaf0",
                   "leaf0 -> n0/nic1", "n0/nic1 -> n0/pcie1", "n0/pcie1 -> n0/gpu1"}));
  Diagnostics problems;
  const fabric::Fabric alone = test::bridged_quads(test::h200_nvl());
  EXPECT_FALSE(Wiring::create(alone, test::gpus({0, 1}), settings, problems).has_value());
  EXPECT_EQ(problems.all().front().code, "no-network");
}

TEST(PathRules, NcclRatesPcieByGenerationAndWidth) {
  const auto believed = [](std::int64_t mb) {
    fabric::Link link;
    link.kind = fabric::LinkKind::kPcie;
    link.capacity = test::mb_per_s(mb);
    return believed_capacity(link);
  };
  EXPECT_EQ(believed(55'000), test::mb_per_s(48'000));  // Gen5 x16
  EXPECT_EQ(believed(26'000), test::mb_per_s(24'000));  // Gen4 x16, Gen5 x8
  EXPECT_EQ(believed(13'000), test::mb_per_s(12'000));  // Gen3 x16
  EXPECT_EQ(believed(2'000), test::mb_per_s(2'000));
}

}  // namespace
}  // namespace heddle::collective
