// The rings NCCL finds on well-known wirings: the table of its search (rings x speed), worked out
// by hand from its candidate speeds 60 50 40 30 24 20 15 12 11 6 3 inside a machine and
// 48 45 42 40 30 24 22 20 17.5 15 12 6 3 between machines.

#include <gtest/gtest.h>

#include "sim/collective/machine_rings.h"
#include "sim/collective/ring_set.h"
#include "tests/support/clusters.h"

namespace heddle::collective {
namespace {

using test::mb_per_s;

struct Found {
  RingsFound rings;
  RingSet set;
};

Found rings_of(const fabric::Fabric& fabric, std::vector<fabric::DeviceId> members,
               const CommSettings& settings = {}) {
  const NcclTuning tuning = test::hopper();
  const Wiring wiring = test::wiring_of(fabric, std::move(members), settings);
  return {search_machines(wiring, tuning).front(), find_rings(wiring, tuning, settings)};
}

/// Two bridged quads between whose sockets NCCL believes in `cpu`; no CTA count given.
fabric::Fabric quads(std::int64_t cpu) {
  test::Machine machine = test::h200_nvl();
  machine.between_sockets = mb_per_s(cpu);
  machine.comm.host_staging.ctas = 0;
  return test::bridged_quads(machine);
}

TEST(RingTable, QuadToQuadOnEmeraldHosts) {
  // 40 between the sockets. Two islands want two rings: 2 x 24 = 48 is too much, 2 x 20 fits.
  const Found four = rings_of(quads(40'000), test::gpus({0, 1, 4, 5}));
  EXPECT_EQ(four.rings.rings.size(), 2U);
  EXPECT_EQ(four.rings.speed, mb_per_s(20'000));
  EXPECT_EQ(four.set.ctas, 4);
  EXPECT_EQ(rings_of(quads(40'000), test::first_gpus(8)).set.ctas, 4);
  // One GPU a side: 1 x 40, which is split in two (over 25) and doubled.
  const Found pair = rings_of(quads(40'000), test::gpus({0, 4}));
  EXPECT_EQ(pair.rings.bus(), mb_per_s(40'000));
  EXPECT_EQ(pair.set.channels, 2);
  EXPECT_EQ(pair.set.ctas, 4);
}

TEST(RingTable, QuadToQuadOnSapphireHosts) {
  // 22: 1 x 20 is beaten by 2 x 11; two islands reach 2 x 11 at once.
  for (const auto& members : {test::gpus({0, 4}), test::gpus({0, 1, 4, 5}), test::first_gpus(8)}) {
    const Found found = rings_of(quads(22'000), members);
    EXPECT_EQ(found.rings.rings.size(), 2U);
    EXPECT_EQ(found.rings.speed, mb_per_s(11'000));
    EXPECT_EQ(found.set.ctas, 4);
  }
}

TEST(RingTable, QuadToQuadOnAmdHosts) {
  // 16: 1 x 15 with one GPU a side (the next, 6, is under 0.49 x 15). Two islands: 2 x 6 = 12,
  // then 5 x 3 = 15.
  const Found pair = rings_of(quads(16'000), test::gpus({0, 4}));
  EXPECT_EQ(pair.rings.bus(), mb_per_s(15'000));
  EXPECT_EQ(pair.set.ctas, 2);
  const Found four = rings_of(quads(16'000), test::gpus({0, 1, 4, 5}));
  EXPECT_EQ(four.rings.rings.size(), 5U);
  EXPECT_EQ(four.set.ctas, 10);
}

TEST(RingTable, CtaCountOfTheMachineWins) {
  EXPECT_EQ(rings_of(test::bridged_quads(test::h200_nvl()), test::gpus({0, 4})).set.ctas, 4);
  test::Machine machine = test::h200_nvl();
  machine.comm.host_staging.ctas = 6;
  EXPECT_EQ(rings_of(test::bridged_quads(machine), test::gpus({0, 4})).set.ctas, 6);
}

TEST(RingTable, HostBridgeCostsAFifthMore) {
  // Staged within a socket on Gen5 x16: 40 x 6/5 = 48 just fits.
  CommSettings settings;
  settings.p2p = false;
  const Found found = rings_of(quads(40'000), test::gpus({0, 1}), settings);
  EXPECT_EQ(found.rings.bus(), mb_per_s(40'000));
}

TEST(RingTable, CtasAreClamped) {
  CommSettings settings;
  settings.max_ctas = 3;
  const fabric::Fabric node = test::nvswitch_node(test::h200_sxm());
  // 6 rings of 60, but with three CTAs only three of them.
  const Found few = rings_of(node, test::first_gpus(8), settings);
  EXPECT_EQ(few.set.orders.size(), 3U);
  EXPECT_EQ(few.set.nominal_bus, mb_per_s(180'000));
  settings.max_ctas = std::nullopt;
  settings.min_ctas = 32;
  EXPECT_EQ(rings_of(node, test::first_gpus(8), settings).set.ctas, 32);
}

TEST(RingTable, RankOrderIsNotSearched) {
  CommSettings settings;
  settings.ring_order = RingOrder::kRank;
  const Found found = rings_of(quads(40'000), test::gpus({0, 4, 1, 5}), settings);
  ASSERT_EQ(found.set.orders.size(), 1U);
  EXPECT_EQ(found.set.orders.front(), (Order{0, 1, 2, 3}));  // every hop crosses the sockets
  EXPECT_EQ(found.set.nominal_bus, mb_per_s(40'000));
}

TEST(RingTable, OneRingPerNic) {
  // Eight NICs of 50 on PCIe of 48. At 48 a port of 370.8 holds seven rings, 336; at 45 all eight,
  // 360; later 15 x 24 are no more.
  const fabric::Fabric fabric = test::cluster_fabric({});
  const Found found = rings_of(fabric, test::all_gpus(fabric));
  ASSERT_EQ(found.set.orders.size(), 8U);
  EXPECT_EQ(found.set.nominal_bus, mb_per_s(360'000));
  for (int ring = 0; ring < 8; ++ring) {
    EXPECT_EQ(found.set.ports[static_cast<std::size_t>(ring)], (std::vector<int>{ring, ring}));
    EXPECT_EQ(found.rings.rings[static_cast<std::size_t>(ring)].order.front(), ring);
  }
}

TEST(RingTable, AMachineWithFewerNicsSetsThePace) {
  // GPUs 0 and 1 of one machine, 0 alone of the other: one NIC there, one ring of 48.
  const fabric::Fabric fabric = test::cluster_fabric({.nodes = 2, .gpus = 2, .nics = 2});
  const auto g = test::all_gpus(fabric);
  const Found found = rings_of(fabric, {g[0], g[1], g[2]});
  EXPECT_EQ(found.set.orders.size(), 1U);
  EXPECT_EQ(found.set.nominal_bus, mb_per_s(48'000));
}

TEST(RingTable, WithoutNvlinkOneRingEntersAndLeavesByItsNic) {
  // Two GPUs and one NIC over PCIe peers of one CPU: staged, 40 x 6/5 = 48 fits the GPUs' wires.
  test::Cluster cluster{.nodes = 2, .gpus = 2, .nics = 1, .has_nvswitch = false};
  cluster.machine.comm.host_staging.ctas = 0;
  const fabric::Fabric fabric = test::cluster_fabric(cluster);
  const Found found = rings_of(fabric, test::all_gpus(fabric));
  EXPECT_EQ(found.set.orders.size(), 1U);
  EXPECT_EQ(found.set.inside, Transport::kHostMemory);
  EXPECT_EQ(found.set.transport, Transport::kNetwork);
}

}  // namespace
}  // namespace heddle::collective
