#include <gtest/gtest.h>

#include <string>

#include "sim/fabric/fabric_builder.h"
#include "tests/unit/fabric/machines.h"
#include "tests/unit/fabric/queries.h"

namespace heddle::fabric {
namespace {

TEST(Routing, PeerTrafficPrefersNvlinkEvenThroughOneOtherGpu) {
  const Fabric f = freeze(two_sockets());
  EXPECT_EQ(visits(f, "gpu0", "gpu3", RouteKind::kPeer), "gpu0 gpu3");
  EXPECT_EQ(visits(f, "gpu0", "gpu4", RouteKind::kPeer), "gpu0 gpu3 gpu4");
  // gpu1 has no NVLink, and only GPUs are reached through a GPU.
  EXPECT_EQ(visits(f, "gpu1", "gpu4", RouteKind::kPeer), "gpu1 pcie0 cpu0 cpu1 gpu4");
  EXPECT_EQ(visits(f, "gpu0", "cpu1", RouteKind::kPeer), "gpu0 pcie0 cpu0 cpu1");
  EXPECT_EQ(visits(f, "gpu0", "gpu0", RouteKind::kPeer), "");
}

TEST(Routing, PeerTrafficTurnsAroundInAPcieSwitch) {
  const Fabric f = freeze(two_sockets());
  EXPECT_EQ(visits(f, "gpu0", "gpu1", RouteKind::kPeer), "gpu0 pcie0 gpu1");
  EXPECT_EQ(visits(f, "gpu2", "gpu1", RouteKind::kPeer), "gpu2 pcie1 pcie0 gpu1");
}

TEST(Routing, StagedTrafficVisitsACpuAndAvoidsNvlink) {
  const Fabric f = freeze(two_sockets());
  EXPECT_EQ(visits(f, "gpu0", "gpu1", RouteKind::kHostStaged), "gpu0 pcie0 cpu0 pcie0 gpu1");
  EXPECT_EQ(visits(f, "gpu0", "gpu3", RouteKind::kHostStaged), "gpu0 pcie0 cpu0 gpu3");
  EXPECT_EQ(visits(f, "gpu3", "gpu4", RouteKind::kHostStaged), "gpu3 cpu0 cpu1 gpu4");
  EXPECT_EQ(visits(f, "gpu2", "cpu1", RouteKind::kHostStaged), "gpu2 pcie1 pcie0 cpu0 cpu1");
  EXPECT_EQ(visits(f, "cpu1", "gpu3", RouteKind::kHostStaged), "cpu1 cpu0 gpu3");
}

TEST(Routing, NamesPathsAsNcclDoes) {
  const Fabric f = freeze(two_sockets());
  EXPECT_EQ(type(f, "gpu0", "gpu0"), "LOC");
  EXPECT_EQ(type(f, "gpu0", "gpu3"), "NVL");
  EXPECT_EQ(type(f, "gpu0", "gpu1"), "PIX");
  EXPECT_EQ(type(f, "gpu0", "gpu2"), "PXB");
  EXPECT_EQ(type(f, "gpu1", "gpu3"), "PHB");
  EXPECT_EQ(type(f, "gpu1", "gpu4"), "SYS");
  EXPECT_EQ(type(f, "gpu0", "gpu4"), "NVB");
}

TEST(Routing, SaysWhenThereIsNoWay) {
  FabricBuilder b("islands", "any");
  add(b, DeviceKind::kGpu, "gpu0", 0);
  add(b, DeviceKind::kGpu, "gpu1", 1);
  b.add_device({DeviceKind::kGpu, "other", 1, 0, 0});
  const Fabric f = freeze(std::move(b));
  EXPECT_EQ(visits(f, "gpu0", "gpu1", RouteKind::kPeer), "");
  EXPECT_EQ(visits(f, "gpu0", "other", RouteKind::kHostStaged), "");
  EXPECT_EQ(type(f, "gpu0", "gpu1"), "DIS");
  EXPECT_EQ(type(f, "gpu0", "other"), "DIS");
}

TEST(Routing, AmongEqualHopsTakesTheWiderThenTheLowerDevice) {
  FabricBuilder b("planes", "any");
  const DeviceId gpu0 = add(b, DeviceKind::kGpu, "gpu0", 0);
  const DeviceId gpu1 = add(b, DeviceKind::kGpu, "gpu1", 1);
  const std::int64_t width[4] = {10, 30, 30, 20};
  for (int i = 0; i < 4; ++i) {
    const DeviceId plane = add(b, DeviceKind::kNvSwitch, "plane" + std::to_string(i), i);
    join(b, gpu0, plane, LinkKind::kNvlink, width[i]);
    join(b, plane, gpu1, LinkKind::kNvlink, 30);
  }
  const Fabric f = freeze(std::move(b));
  EXPECT_EQ(visits(f, "gpu0", "gpu1", RouteKind::kPeer), "gpu0 plane1 gpu1");
  EXPECT_EQ(visits(f, "gpu1", "gpu0", RouteKind::kPeer), "gpu1 plane1 gpu0");
}

TEST(Routing, KeepsMachinesApart) {
  FabricBuilder b("two machines", "any");
  for (int node = 0; node < 2; ++node) {
    const std::string prefix = node == 0 ? "a" : "b";
    const DeviceId x = b.add_device({DeviceKind::kGpu, prefix + "0", node, 0, 0});
    const DeviceId y = b.add_device({DeviceKind::kGpu, prefix + "1", node, 0, 1});
    join(b, x, y, LinkKind::kNvlink, 10);
  }
  const Fabric f = freeze(std::move(b));
  EXPECT_EQ(visits(f, "b0", "b1", RouteKind::kPeer), "b0 b1");
  EXPECT_EQ(visits(f, "a0", "b1", RouteKind::kPeer), "");
}

}  // namespace
}  // namespace heddle::fabric
