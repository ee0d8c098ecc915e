#include "sim/collective/ring_search.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "tests/support/collective_machines.h"

namespace heddle::collective {
namespace {

using test::mb_per_s;

RingsFound search(const RingGraph& graph, std::vector<Bandwidth> speeds) {
  Order order;
  for (int i = 0; i < graph.size(); ++i) order.push_back(i);
  return search_rings(graph, order, speeds);
}

/// `links` NVLinks of `each` in both directions between the pairs given.
RingGraph mesh(int size, const std::vector<std::array<int, 3>>& pairs, Bandwidth each) {
  const auto n = static_cast<std::size_t>(size);
  std::vector<std::vector<int>> arcs(n * n);
  std::vector<Bandwidth> capacities;
  for (const auto& [a, b, links] : pairs) {
    for (auto [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
      const std::size_t arc = static_cast<std::size_t>(from) * n + static_cast<std::size_t>(to);
      arcs[arc] = {static_cast<int>(capacities.size())};
      capacities.push_back(each * links);
    }
  }
  return {size, std::move(arcs), std::move(capacities)};
}

TEST(RingSearch, SwitchPortsLimitWhateverTheOrder) {
  for (int n : {2, 5, 8, 16}) {
    // Port i out is link i, port i in is link n + i.
    std::vector<std::vector<int>> arcs;
    for (int i = 0; i < n * n; ++i) {
      arcs.push_back(i / n == i % n ? std::vector<int>{} : std::vector<int>{i / n, n + i % n});
    }
    const RingGraph graph(n, arcs, std::vector<Bandwidth>(arcs.size(), mb_per_s(370'800)));
    const RingsFound found = search(graph, test::hopper().ring_speeds);
    EXPECT_EQ(found.rings.size(), 6U) << n;  // 6 x 60 = 360 of 370.8
    EXPECT_EQ(found.speed, mb_per_s(60'000)) << n;
  }
}

TEST(RingSearch, BridgedPairHoldsTwo) {
  const RingsFound found =
      search(mesh(2, {{0, 1, 6}}, mb_per_s(20'600)), test::hopper().ring_speeds);
  EXPECT_EQ(found.rings.size(), 2U);
  EXPECT_EQ(found.bus(), mb_per_s(120'000));
}

TEST(RingSearch, BridgedQuadHoldsAllSixHamiltonianCycles) {
  const RingGraph quad =
      mesh(4, {{0, 1, 6}, {0, 2, 6}, {0, 3, 6}, {1, 2, 6}, {1, 3, 6}, {2, 3, 6}}, mb_per_s(20'600));
  const RingsFound found = search(quad, test::hopper().ring_speeds);
  EXPECT_EQ(found.bus(), mb_per_s(360'000));
  // 6 rings of 4 hops fill the 12 arcs twice each, the most that fits.
  std::vector<int> crossings(quad.capacities().size(), 0);
  for (const RingPath& ring : found.rings) {
    for (const Demand& demand : ring.demands) ++crossings[static_cast<std::size_t>(demand.link)];
  }
  EXPECT_EQ(crossings, std::vector<int>(12, 2));
}

TEST(RingSearch, CubeMeshOfEightV100s) {
  // 24 links / 8 hops = 3 cycles, both ways: 6 x 20. The eight double links alone form one cycle
  // of 2 x 40 = 80, which is found first and then beaten.
  const RingGraph cube =
      mesh(8, {test::kCubeMesh.begin(), test::kCubeMesh.end()}, mb_per_s(20'000));
  const RingsFound found =
      search(cube, {mb_per_s(40'000), mb_per_s(30'000), mb_per_s(20'000), mb_per_s(18'000)});
  EXPECT_EQ(found.rings.size(), 6U);
  EXPECT_EQ(found.speed, mb_per_s(20'000));
}

TEST(RingSearch, ChainHasNoRing) {
  const RingGraph chain = mesh(3, {{0, 1, 6}, {1, 2, 6}}, mb_per_s(20'600));
  EXPECT_TRUE(search(chain, test::hopper().ring_speeds).rings.empty());
}

TEST(RingSearch, StopsBelowHalfTheBestSpeed) {
  // Link of 100: one ring of 60; 29 would give 3 x 29 = 87 but is under 0.49 x 60 = 29.4.
  const RingGraph pair = mesh(2, {{0, 1, 1}}, mb_per_s(100'000));
  EXPECT_EQ(search(pair, {mb_per_s(60'000), mb_per_s(29'000)}).bus(), mb_per_s(60'000));
  EXPECT_EQ(search(pair, {mb_per_s(60'000), mb_per_s(30'000)}).bus(), mb_per_s(90'000));
}

}  // namespace
}  // namespace heddle::collective
