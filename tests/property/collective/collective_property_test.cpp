// What holds for every machine, group, size and kind of collective.

#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>

#include "sim/engine/fluid_network.h"
#include "tests/support/collective_machines.h"
#include "tests/support/seeds.h"
#include "tests/support/shuffle.h"

namespace heddle::test {
namespace {

using collective::Algorithm;
using collective::CollectiveCost;
using collective::CollectiveModel;
using collective::CommSettings;
using collective::NcclTuning;
using collective::Protocol;
using schedule::CollectiveKind;

enum class Family { kSwitch, kQuads, kPcie };

struct Case {
  Family family = Family::kSwitch;
  Machine machine;
  std::vector<fabric::DeviceId> members;
  CommSettings settings;
  CollectiveKind kind = CollectiveKind::kAllReduce;
  Bytes bytes;

  fabric::Fabric fabric() const {
    if (family == Family::kSwitch) return nvswitch_node(machine);
    return family == Family::kQuads ? bridged_quads(machine) : pcie_node(machine);
  }
  CollectiveCost cost(const CollectiveModel& model) const { return model.cost({kind, bytes}); }
};

Case random_case(std::uint64_t seed) {
  Rng rng(seed);
  Case c;
  c.family = static_cast<Family>(rng.uniform_int(0, 2));
  c.machine.comm = comm_of_the_notes();
  c.machine.comm.ring_efficiency = 0.5 + 0.5 * rng.uniform();
  c.machine.nvlink = mb_per_s(rng.uniform_int(50'000, 900'000));
  c.machine.pcie = mb_per_s(rng.uniform_int(5'000, 100'000));
  c.machine.between_sockets = mb_per_s(rng.uniform_int(5'000, 100'000));
  c.members = first_gpus(c.family == Family::kPcie ? 4 : 8);
  shuffle(c.members, rng);
  const auto count = static_cast<std::int64_t>(c.members.size());
  c.members.resize(static_cast<std::size_t>(rng.uniform_int(2, count)));
  c.settings.p2p = rng.chance(0.7);
  c.kind = static_cast<CollectiveKind>(rng.uniform_int(0, 3));
  c.bytes = Bytes{std::int64_t{1} << rng.uniform_int(0, 36)};
  return c;
}

Case random_ring_case(std::uint64_t seed) {
  Case c = random_case(seed);
  c.settings.algorithm = Algorithm::kRing;
  c.settings.protocol = Protocol::kSimple;
  return c;
}

/// All bandwidths twice as large, NCCL's candidates and caps included.
NcclTuning doubled(NcclTuning tuning) {
  for (Bandwidth& speed : tuning.ring_speeds) speed = speed * 2;
  tuning.ll_bus_cap = tuning.ll_bus_cap * 2;
  tuning.ll128_channel_cap = tuning.ll128_channel_cap * 2;
  return tuning;
}

Machine doubled(Machine machine) {
  machine.nvlink = machine.nvlink * 2;
  machine.pcie = machine.pcie * 2;
  machine.between_sockets = machine.between_sockets * 2;
  fabric::HostStaging& staging = machine.comm.host_staging;
  staging.per_cta_same_socket = staging.per_cta_same_socket * 2;
  staging.per_cta_cross_socket = staging.per_cta_cross_socket * 2;
  return machine;
}

TEST(CollectiveProperties, RingAllReduceMovesTwiceTheOtherMembersShares) {
  for_each_seed([](std::uint64_t seed) {
    Case c = random_ring_case(seed);
    c.family = Family::kQuads;  // a direct link for every hop inside a quad
    c.settings.p2p = true;
    c.members = first_gpus(static_cast<std::size_t>(2 + seed % 3));
    c.kind = CollectiveKind::kAllReduce;
    const CollectiveModel model = model_of(c.fabric(), c.members, c.settings);
    std::int64_t total = 0;
    const CollectiveCost cost = c.cost(model);
    for (const collective::LinkUse& use : cost.uses) total += use.bytes_ppb;
    const std::int64_t expected = 2 * (model.size() - 1) * kPpb;
    EXPECT_LE(std::abs(total - expected), static_cast<std::int64_t>(cost.uses.size()));
  });
}

TEST(CollectiveProperties, TimeIsAffineInSize) {
  for_each_seed([](std::uint64_t seed) {
    const Case c = random_ring_case(seed);
    const CollectiveModel model = model_of(c.fabric(), c.members, c.settings);
    const auto time = [&](std::int64_t k) { return model.cost({c.kind, c.bytes * k}).total; };
    const Duration bend = (time(3) - time(2)) - (time(2) - time(1));
    EXPECT_LE(std::abs(bend.ps), 2);  // each time is rounded up
  });
}

TEST(CollectiveProperties, DoubleBandwidthHalvesTheTransfer) {
  for_each_seed([](std::uint64_t seed) {
    Case c = random_ring_case(seed);
    const CollectiveModel once = model_of(c.fabric(), c.members, c.settings);
    c.machine = doubled(c.machine);
    const CollectiveModel twice = model_of(c.fabric(), c.members, c.settings, doubled(hopper()));
    const std::int64_t slow = c.cost(once).rate.bytes_per_second;
    EXPECT_NEAR(static_cast<double>(c.cost(twice).rate.bytes_per_second),
                2.0 * static_cast<double>(slow), 2.0);
    EXPECT_EQ(c.cost(twice).latency, c.cost(once).latency);
  });
}

TEST(CollectiveProperties, OrderOfMembersChangesNothing) {
  for_each_seed([](std::uint64_t seed) {
    Case c = random_case(seed);
    const CollectiveModel given = model_of(c.fabric(), c.members, c.settings);
    Rng rng(seed + 1'000);
    shuffle(c.members, rng);
    const CollectiveModel shuffled = model_of(c.fabric(), c.members, c.settings);
    EXPECT_EQ(c.cost(given).total, c.cost(shuffled).total);
    EXPECT_EQ(c.cost(given).algorithm, c.cost(shuffled).algorithm);
    EXPECT_EQ(c.cost(given).channels, c.cost(shuffled).channels);
  });
}

TEST(CollectiveProperties, RingBusBandwidthStaysBelowTheWires) {
  for_each_seed([](std::uint64_t seed) {
    const Case c = random_ring_case(seed);
    const fabric::Fabric fabric = c.fabric();
    const CollectiveModel model = model_of(fabric, c.members, c.settings);
    std::int64_t leaving = 0;  // all a member's wires together
    for (fabric::LinkId link : fabric.out_links(c.members.front())) {
      leaving += fabric.link(link).capacity.bytes_per_second;
    }
    const double bus = static_cast<double>(c.cost(model).rate.bytes_per_second) *
                       CollectiveModel::bus_factor(c.kind, model.size());
    EXPECT_LE(bus, static_cast<double>(leaving));
  });
}

TEST(CollectiveProperties, LoneRateIsTheSlowestLinkOrTheCap) {
  for_each_seed([](std::uint64_t seed) {
    const Case c = random_case(seed);
    const fabric::Fabric fabric = c.fabric();
    const CollectiveModel model = model_of(fabric, c.members, c.settings);
    const CollectiveCost cost = c.cost(model);
    for (const collective::LinkUse& use : cost.uses) {
      const double load = static_cast<double>(cost.rate.bytes_per_second) *
                          static_cast<double>(use.occupancy_ppb) * 1e-9;
      const double capacity = static_cast<double>(fabric.link(use.link).capacity.bytes_per_second);
      EXPECT_LE(load, capacity * (1 + 1e-12));
      if (use.link == cost.limiting_link) {
        EXPECT_NEAR(load, capacity, 8.0);  // rates are whole bytes per second, weights below 8
      }
    }
    EXPECT_LE(cost.rate, cost.rate_cap);
  });
}

TEST(CollectiveProperties, FluidSolverGivesTheClosedFormWhenAlone) {
  for_each_seed([](std::uint64_t seed) {
    const Case c = random_case(seed);
    const fabric::Fabric fabric = c.fabric();
    const CollectiveModel model = model_of(fabric, c.members, c.settings);
    const CollectiveCost cost = c.cost(model);
    std::vector<Bandwidth> capacities;
    for (const fabric::Link& link : fabric.links()) capacities.push_back(link.capacity);
    std::vector<engine::ResourceUse> uses;
    for (const collective::LinkUse& use : cost.uses) {
      uses.push_back({engine::ResourceId(use.link.index()), use.occupancy_ppb});
    }
    engine::FluidNetwork fluid(capacities);
    const engine::ActivityId alone = fluid.add(cost.payload, cost.rate_cap, uses);
    fluid.solve();
    EXPECT_EQ(fluid.rate(alone), cost.rate);
    EXPECT_EQ(cost.latency + fluid.time_left(alone), cost.total);
  });
}

TEST(CollectiveProperties, OneMemberMovesNothing) {
  for_each_seed([](std::uint64_t seed) {
    Case c = random_case(seed);
    c.members.resize(1);
    const CollectiveModel model = model_of(c.fabric(), c.members, c.settings);
    EXPECT_EQ(c.cost(model).total, Duration{});
    EXPECT_TRUE(c.cost(model).uses.empty());
    EXPECT_TRUE(model.rings().empty());
  });
}

}  // namespace
}  // namespace heddle::test
