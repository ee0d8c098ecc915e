// NVLink through another GPU and CPUs joined by NVLink-C2C.

#include <gtest/gtest.h>

#include "tests/unit/fabric/clusters.h"
#include "tests/unit/fabric/queries.h"

namespace heddle::fabric {
namespace {

/// One quad of a cube mesh of 8: rings 0-1-2-3 and 4-5-6-7 with one more link inside, i to i + 4.
FabricBuilder cube_mesh() {
  FabricBuilder b("cube", "any");
  for (int i = 0; i < 8; ++i) add(b, DeviceKind::kGpu, "gpu" + std::to_string(i), i);
  const auto nvlink = [&b](std::size_t i, std::size_t j, std::int64_t gb) {
    join(b, DeviceId(i), DeviceId(j), LinkKind::kNvlink, gb);
  };
  for (const std::size_t q : {0U, 4U}) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) nvlink(q + i, q + j, (i + j) % 2 == 0 ? 40 : 20);
    }
  }
  for (std::size_t i = 0; i < 4; ++i) nvlink(i, i + 4, i < 2 ? 40 : 20);
  return b;
}

TEST(NvlinkRelay, JoinsTheCornersOfACubeMeshThroughTheWiderGpu) {
  const Fabric f = freeze(cube_mesh());
  EXPECT_EQ(type(f, "gpu0", "gpu4"), "NVL");
  EXPECT_EQ(type(f, "gpu0", "gpu5"), "NVB");
  // 0 to 6: through 2 min(40, 20) = 20 or through 4 min(40, 40) = 40.
  EXPECT_EQ(visits(f, "gpu0", "gpu6", RouteKind::kPeer), "gpu0 gpu4 gpu6");
  // 0 to 5: through 1 min(20, 40) and through 4 min(40, 20) are alike: the lower.
  EXPECT_EQ(visits(f, "gpu0", "gpu5", RouteKind::kPeer), "gpu0 gpu1 gpu5");
}

TEST(NvlinkRelay, NeverPassesTwoGpus) {
  FabricBuilder b("chain", "any");
  for (int i = 0; i < 4; ++i) add(b, DeviceKind::kGpu, "gpu" + std::to_string(i), i);
  for (std::size_t i = 0; i < 3; ++i) {
    join(b, DeviceId(i), DeviceId(i + 1), LinkKind::kNvlink, 20);
  }
  const Fabric f = freeze(std::move(b));
  EXPECT_EQ(type(f, "gpu0", "gpu2"), "NVB");
  EXPECT_EQ(type(f, "gpu0", "gpu3"), "DIS");
}

/// Two superchips: each a CPU with two GPUs over C2C and a NIC over PCIe; NVSwitch joins the GPUs.
TEST(Superchip, NamesPathsOverC2c) {
  FabricBuilder b("trays", "any");
  const DeviceId hub = add(b, DeviceKind::kNvSwitch, "nvswitch0", 0);
  DeviceId cpu[2];
  for (int i = 0; i < 2; ++i) {
    cpu[i] = b.add_device({DeviceKind::kCpu, "cpu" + std::to_string(i), 0, i, i});
    const DeviceId nic = b.add_device({DeviceKind::kNic, "nic" + std::to_string(i), 0, i, i});
    join(b, nic, cpu[i], LinkKind::kPcie, 50);
    for (int g = 2 * i; g < 2 * i + 2; ++g) {
      const DeviceId gpu = b.add_device({DeviceKind::kGpu, "gpu" + std::to_string(g), 0, i, g});
      join(b, gpu, cpu[i], LinkKind::kC2c, 400);
      join(b, gpu, hub, LinkKind::kNvlink, 800);
    }
  }
  join(b, cpu[0], cpu[1], LinkKind::kCpuInterconnect, 100);
  const Fabric f = freeze(std::move(b));
  EXPECT_EQ(type(f, "gpu0", "gpu3"), "NVL");
  EXPECT_EQ(type(f, "gpu0", "cpu0"), "C2C");
  EXPECT_EQ(type(f, "gpu0", "nic0"), "P2C");
  EXPECT_EQ(type(f, "nic0", "gpu1"), "P2C");
  EXPECT_EQ(type(f, "gpu0", "nic1"), "SYS");
  EXPECT_EQ(type(f, "cpu0", "nic0"), "PHB");
  EXPECT_EQ(visits(f, "gpu0", "gpu2", RouteKind::kHostStaged), "gpu0 cpu0 cpu1 gpu2");
}

}  // namespace
}  // namespace heddle::fabric
