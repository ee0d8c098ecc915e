#include "sim/collective/ring_order.h"

#include <gtest/gtest.h>

#include "tests/support/collective_machines.h"

namespace heddle::collective {
namespace {

Order order_of(const fabric::Fabric& fabric, std::vector<fabric::DeviceId> members, bool p2p) {
  CommSettings settings;
  settings.p2p = p2p;
  return locality_order(test::wiring_of(fabric, std::move(members), settings), 0);
}

TEST(LocalityOrder, KeepsNvlinkIslandsTogether) {
  const fabric::Fabric node = test::bridged_quads(test::h200_nvl());
  // Members gpu0 gpu4 gpu1 gpu5: gpu0 gpu1, then gpu4 gpu5.
  EXPECT_EQ(order_of(node, test::gpus({0, 4, 1, 5}), true), (Order{0, 2, 1, 3}));
}

TEST(LocalityOrder, KeepsSocketsTogetherWithoutPeerToPeer) {
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  EXPECT_EQ(order_of(node, test::gpus({5, 0, 4, 1}), false), (Order{0, 2, 1, 3}));
}

TEST(LocalityOrder, WalksAnIslandAlongItsNvlinks) {
  // gpu0 - gpu2 - gpu1 in a chain; gpu3 has PCIe only.
  fabric::FabricBuilder builder = test::two_sockets(test::h200_nvl());
  for (std::size_t end : {0U, 1U}) {
    builder.add_duplex({fabric::DeviceId(end),
                        fabric::DeviceId(std::size_t{2}),
                        fabric::LinkKind::kNvlink,
                        test::mb_per_s(123'600),
                        {},
                        6});
  }
  const fabric::Fabric node = test::frozen(std::move(builder));
  EXPECT_EQ(order_of(node, test::first_gpus(4), true), (Order{0, 2, 1, 3}));
}

}  // namespace
}  // namespace heddle::collective
