#include "sim/collective/ring_set.h"

#include <gtest/gtest.h>

#include "tests/support/clusters.h"

namespace heddle::collective {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;

/// gpu0 reaches nic0 and nic1 alike, over several switches; gpu1 shares a switch with nic0 alone,
/// but its widest NIC is nic2, behind the CPU.
void add_machine(fabric::FabricBuilder& builder, int node, DeviceId net_switch) {
  const auto add = [&](DeviceKind kind, const std::string& name, int index) {
    const std::string full = std::to_string(node) + name + std::to_string(index);
    return builder.add_device({kind, full, node, 0, index});
  };
  const auto pcie = [&](DeviceId a, DeviceId b, std::int64_t gb) {
    builder.add_duplex({a, b, fabric::LinkKind::kPcie, test::mb_per_s(1'000 * gb), {}, 16});
  };
  const auto nic = [&](int index, DeviceId above, std::int64_t gb) {
    const DeviceId id = add(DeviceKind::kNic, "nic", index);
    pcie(id, above, 48);
    builder.add_duplex(
        {id, net_switch, fabric::LinkKind::kNetwork, test::mb_per_s(1'000 * gb), {}, 1});
  };
  const DeviceId cpu = add(DeviceKind::kCpu, "cpu", 0);
  const DeviceId top = add(DeviceKind::kPcieSwitch, "top", 9);
  pcie(top, cpu, 48);
  std::vector<DeviceId> below;
  for (int i = 0; i < 3; ++i) {
    below.push_back(add(DeviceKind::kPcieSwitch, "pcie", i));
    pcie(below.back(), top, 48);
  }
  pcie(add(DeviceKind::kGpu, "gpu", 0), below[0], 6);
  pcie(add(DeviceKind::kGpu, "gpu", 1), below[1], 48);
  nic(0, below[1], 6);
  nic(1, below[2], 6);
  nic(2, cpu, 50);
}

// Two rings 0 1 2 3 at 3 GB/s, one over each of the first two NICs. Both leave a machine at gpu1:
// past one switch to nic0, past several to nic1.
TEST(RingSet, EqualOrdersOverOtherNicsHaveOtherWaysOut) {
  fabric::FabricBuilder builder("machines", "H200");
  const DeviceId net_switch =
      builder.add_device({DeviceKind::kNetSwitch, "switch", fabric::kNoNode, 0, 0});
  for (int node = 0; node < 2; ++node) add_machine(builder, node, net_switch);
  fabric::CommParameters comm = test::comm_of_the_notes();
  comm.network = test::network_of_the_notes();
  builder.set_comm(comm);
  const fabric::Fabric fabric = test::frozen(std::move(builder));
  const Wiring wiring = test::wiring_of(fabric, test::all_gpus(fabric));
  NcclTuning tuning = test::hopper();
  tuning.network.ring_speeds = {test::mb_per_s(3'000)};
  const RingSet set = find_rings(wiring, tuning, {});
  ASSERT_EQ(set.orders, (std::vector<Order>{{0, 1, 2, 3}, {0, 1, 2, 3}}));
  EXPECT_EQ(set.ports, (std::vector<std::vector<int>>{{0, 0}, {1, 1}}));
  EXPECT_EQ(wiring.egress_path(1, 0), fabric::PathType::kPix);
  EXPECT_EQ(set.inter, fabric::PathType::kPxb);
  EXPECT_EQ(bundles_of(set).size(), 2U);
}

TEST(RingSet, EqualRingsAreOneBundleWhereverTheyStand) {
  RingSet set;
  set.orders = {{0, 1, 2}, {0, 2, 1}, {0, 1, 2}};
  const std::vector<Bundle> bundles = bundles_of(set);
  ASSERT_EQ(bundles.size(), 2U);
  EXPECT_EQ(bundles[0].rings, 2);
  EXPECT_EQ(bundles[1].ring, 1U);
  EXPECT_EQ(bundles[1].rings, 1);
}

}  // namespace
}  // namespace heddle::collective
