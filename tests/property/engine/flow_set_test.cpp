// Rates kept up to date are those found from scratch, and ends those of the plain fluid network, to
// the last byte and picosecond. SimGrid's own ends of the uneven all-to-all:
// 166.545, 179.243, 176.996 us at 8, 64, 128 ranks, its latency of 0.5 us included.

#include "sim/engine/flow_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "sim/base/rng.h"
#include "sim/engine/max_min_solver.h"
#include "tests/support/random_network.h"
#include "tests/support/seeds.h"
#include "tests/support/uneven_all_to_all.h"

namespace heddle::test {
namespace {

using Path = std::vector<std::uint32_t>;

/// Few values and small ones: many levels are equal, or would be but for rounding.
std::vector<Bandwidth> random_capacities(Rng& rng, std::int64_t largest) {
  std::vector<Bandwidth> capacities(static_cast<std::size_t>(rng.uniform_int(1, 10)));
  for (Bandwidth& c : capacities) c = {rng.uniform_int(20, largest)};
  return capacities;
}

Path random_path(Rng& rng, std::size_t resources) {
  Path path(static_cast<std::size_t>(rng.uniform_int(1, 4)));
  for (std::uint32_t& r : path) {
    r = static_cast<std::uint32_t>(rng.uniform_int(0, static_cast<std::int64_t>(resources) - 1));
  }
  return path;
}

std::vector<std::int64_t> rates_from_scratch(const std::vector<Bandwidth>& capacities,
                                             const std::map<std::uint32_t, Path>& flows) {
  engine::MaxMinSolver solver;
  for (const Bandwidth c : capacities) solver.add_resource(c.bytes_per_second);
  for (const auto& [flow, path] : flows) {
    solver.add_activity(engine::FairLevels::kUnlimited);
    for (const std::uint32_t r : path) solver.add_use(r, kPpb);
  }
  const auto rates = solver.solve();
  return {rates.begin(), rates.end()};
}

void change(Rng& rng, engine::FairLevels& levels, std::size_t resources,
            std::map<std::uint32_t, Path>& flows) {
  if (flows.empty() || rng.chance(0.55)) {
    const Path path = random_path(rng, resources);
    flows[levels.add(path)] = path;
    return;
  }
  auto gone = flows.begin();
  std::advance(gone, rng.uniform_int(0, static_cast<std::int64_t>(flows.size()) - 1));
  levels.remove(gone->first);
  flows.erase(gone);
}

void expect_exact_rates(std::uint64_t seed, std::int64_t largest_capacity) {
  Rng rng(seed);
  const std::vector<Bandwidth> capacities = random_capacities(rng, largest_capacity);
  engine::FairLevels levels(capacities, 4);
  std::map<std::uint32_t, Path> flows;
  for (int i = 0; i < 60; ++i) {
    change(rng, levels, capacities.size(), flows);
    if (rng.chance(0.3)) continue;  // several changes before one solve
    levels.solve();
    std::vector<std::int64_t> rates;
    for (const auto& [flow, path] : flows) rates.push_back(levels.rate(flow));
    ASSERT_EQ(rates, rates_from_scratch(capacities, flows)) << "after change " << i;
  }
}

TEST(FairLevels, AreThoseFoundFromScratch) {
  for_each_seed([](std::uint64_t seed) { expect_exact_rates(seed, 400'000'000'000); });
}

TEST(FairLevels, AreThoseFoundFromScratchWhereRoundingDecides) {
  for_each_seed([](std::uint64_t seed) {
    for (const std::int64_t largest : {25, 40, 200}) expect_exact_rates(seed, largest);
  });
}

/// A cap is a resource of its own, a whole weight a resource named that often.
std::vector<SimTime> flow_set_ends(const RandomNetwork& network) {
  std::vector<Bandwidth> resources = network.capacities;
  std::vector<Path> paths;
  std::size_t longest = 1;
  for (const NetworkActivity& a : network.activities) {
    Path path;
    for (const engine::ResourceUse& use : a.uses) {
      path.insert(path.end(), static_cast<std::size_t>(use.weight_ppb / kPpb), use.resource.value);
    }
    if (a.cap.bytes_per_second < engine::FairLevels::kUnlimited) {
      path.push_back(static_cast<std::uint32_t>(resources.size()));
      resources.push_back(a.cap);
    }
    longest = std::max(longest, path.size());
    paths.push_back(path);
  }
  engine::FlowSet set(resources, longest);
  for (std::size_t a = 0; a < paths.size(); ++a) set.add(network.activities[a].payload, paths[a]);
  std::vector<SimTime> ends(paths.size());
  for (auto ended = set.run_to_next_end(); !ended.empty(); ended = set.run_to_next_end()) {
    for (const std::uint32_t flow : ended) ends[flow] = set.now();
  }
  return ends;
}

TEST(FlowSet, EndsWhereTheFluidNetworkDoes) {
  for_each_seed([](std::uint64_t seed) {
    for (const int activities : {12, 60}) {
      const RandomNetwork network =
          random_network(seed, {.max_activities = activities, .weights = Weights::kWhole});
      ASSERT_EQ(flow_set_ends(network), fluid_finish_times(network));
    }
  });
}

double microseconds_with_latency(std::uint32_t ranks) {
  return run_uneven_all_to_all(ranks).end.seconds() * 1e6 + 0.5;
}

TEST(FlowSet, UnevenAllToAllAgreesWithSimGrid) {
  EXPECT_NEAR(microseconds_with_latency(8), 166.545, 0.001);
  EXPECT_NEAR(microseconds_with_latency(64), 179.243, 0.001);
  EXPECT_NEAR(microseconds_with_latency(128), 176.996, 0.001);
}

TEST(FlowSet, FlowsJoinWhileOthersRun) {
  engine::FlowSet set(std::vector<Bandwidth>{{1'000}}, 1);
  const Path link{0};
  const std::uint32_t first = set.add({3'000}, link);
  set.add({500}, link);
  ASSERT_EQ(set.run_to_next_end().size(), 1U);  // both at 500 B/s: at 1 s the second is through
  EXPECT_EQ(set.now().ps, kPicosPerSecond);
  set.add({1'000}, link);  // 2,500 B are left of the first, both at 500 B/s again: 2 s more
  ASSERT_EQ(set.run_to_next_end().size(), 1U);
  EXPECT_EQ(set.now().ps, 3 * kPicosPerSecond);
  const auto last = set.run_to_next_end();  // 1,500 B alone at 1,000 B/s
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(last.front(), first);
  EXPECT_EQ(set.now().ps, 4'500'000'000'000);
}

}  // namespace
}  // namespace heddle::test
