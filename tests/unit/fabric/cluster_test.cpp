#include <gtest/gtest.h>

#include "tests/unit/fabric/clusters.h"
#include "tests/unit/fabric/queries.h"

namespace heddle::fabric {
namespace {

std::string network(const Fabric& f, const std::string& from, const std::string& to) {
  return visits(f, f.network_route(by_name(f, from), by_name(f, to)));
}

TEST(Cluster, ListsTheGpusAndNicsOfEachMachineByNumber) {
  FabricBuilder b("unordered", "any");
  b.add_device({DeviceKind::kGpu, "late", 1, 0, 0});
  b.add_device({DeviceKind::kNic, "nic1", 0, 0, 1});
  b.add_device({DeviceKind::kGpu, "second", 0, 0, 1});
  b.add_device({DeviceKind::kNic, "nic0", 0, 0, 0});
  b.add_device({DeviceKind::kGpu, "first", 0, 0, 0});
  const Fabric f = freeze(std::move(b));
  EXPECT_EQ(f.node_count(), 2);
  ASSERT_EQ(f.node_gpus(0).size(), 2U);
  EXPECT_EQ(f.device(f.node_gpus(0)[0]).name, "first");
  EXPECT_EQ(f.device(f.node_gpus(0)[1]).name, "second");
  ASSERT_EQ(f.node_gpus(1).size(), 1U);
  EXPECT_EQ(f.device(f.node_gpus(1)[0]).name, "late");
  ASSERT_EQ(f.node_nics(0).size(), 2U);
  EXPECT_EQ(f.device(f.node_nics(0)[0]).name, "nic0");
  EXPECT_TRUE(f.node_nics(1).empty());
}

TEST(Cluster, RoutesUpToTheCommonSwitchAndDown) {
  const Fabric f = freeze(rails());
  EXPECT_EQ(network(f, "a.nic0", "d.nic0"), "a.nic0 leaf0 d.nic0");
  EXPECT_EQ(network(f, "a.nic0", "d.nic1"), "a.nic0 leaf0 spine leaf1 d.nic1");
  EXPECT_EQ(network(f, "d.nic1", "a.nic0"), "d.nic1 leaf1 spine leaf0 a.nic0");
  EXPECT_EQ(network(f, "a.nic0", "a.nic1"), "a.nic0 leaf0 spine leaf1 a.nic1");
  EXPECT_EQ(network(f, "a.nic0", "a.nic0"), "");
  EXPECT_EQ(network(f, "a.gpu0", "b.gpu0"), "");
}

TEST(Cluster, RoutesOverABackToBackCable) {
  FabricBuilder b("two", "any");
  const auto nics = add_pairs(b, 2);
  join(b, nics[0][1], nics[1][0], LinkKind::kNetwork, 25);
  const Fabric f = freeze(std::move(b));
  EXPECT_EQ(network(f, "a.nic1", "b.nic0"), "a.nic1 b.nic0");
  EXPECT_EQ(network(f, "b.nic0", "a.nic1"), "b.nic0 a.nic1");
  EXPECT_EQ(network(f, "a.nic0", "b.nic0"), "");
  EXPECT_EQ(type(f, "a.gpu0", "b.gpu1"), "NET");
}

TEST(Cluster, NamesPathsToNicsAndOtherMachines) {
  const Fabric f = freeze(rails());
  EXPECT_EQ(type(f, "a.gpu0", "a.nic0"), "PIX");
  EXPECT_EQ(type(f, "a.nic0", "a.gpu1"), "PHB");
  EXPECT_EQ(type(f, "a.gpu0", "a.gpu1"), "NVL");
  EXPECT_EQ(type(f, "a.gpu0", "b.gpu1"), "NET");
  EXPECT_EQ(type(f, "a.gpu0", "spine"), "DIS");
  FabricBuilder unplugged("unplugged", "any");
  add_pairs(unplugged, 2);
  EXPECT_EQ(type(freeze(std::move(unplugged)), "a.gpu0", "b.gpu0"), "DIS");
}

TEST(Cluster, CopiesShareAShapeAndRouteAlike) {
  FabricBuilder odd("odd", "any");
  add_pairs(odd, 3);
  const DeviceId extra = odd.add_device({DeviceKind::kCpu, "c.cpu1", 2, 1, 1});
  EXPECT_EQ(extra, DeviceId(21));  // seven devices per machine
  const Fabric f = freeze(std::move(odd));
  EXPECT_EQ(f.node_shape(0), 0);
  EXPECT_EQ(f.node_shape(1), 0);
  EXPECT_EQ(f.node_shape(2), 1);
  EXPECT_EQ(visits(f, "b.gpu0", "b.nic1", RouteKind::kPeer),
            "b.gpu0 b.pcie0 b.cpu0 b.pcie1 b.nic1");
  EXPECT_EQ(visits(f, "a.gpu0", "a.nic1", RouteKind::kPeer),
            "a.gpu0 a.pcie0 a.cpu0 a.pcie1 a.nic1");
}

TEST(Cluster, ASlowerCableToTheNetworkIsAnotherShape) {
  FabricBuilder b("slow cable", "any");
  const auto nics = add_pairs(b, 3);
  const DeviceId leaf = add_switch(b, "leaf", 0);
  for (std::size_t n = 0; n < 3; ++n) {
    join(b, nics[n][0], leaf, LinkKind::kNetwork, n == 1 ? 10 : 25);
  }
  const Fabric f = freeze(std::move(b));
  EXPECT_EQ(f.node_shape(0), f.node_shape(2));
  EXPECT_NE(f.node_shape(0), f.node_shape(1));
}

TEST(Cluster, InterleavedMachinesAreStillCopies) {
  FabricBuilder b("interleaved", "any");
  std::vector<DeviceId> gpu;
  for (int index = 0; index < 2; ++index) {
    for (int node = 0; node < 2; ++node) {
      gpu.push_back(b.add_device(
          {DeviceKind::kGpu, std::to_string(node) + ":" + std::to_string(index), node, 0, index}));
    }
  }
  join(b, gpu[0], gpu[2], LinkKind::kNvlink, 10);
  join(b, gpu[1], gpu[3], LinkKind::kNvlink, 10);
  const Fabric f = freeze(std::move(b));
  EXPECT_EQ(f.node_shape(1), 0);
  EXPECT_EQ(visits(f, "1:1", "1:0", RouteKind::kPeer), "1:1 1:0");
}

}  // namespace
}  // namespace heddle::fabric
