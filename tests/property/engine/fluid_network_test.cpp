// What max-min rates must satisfy, whatever the network.

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/base/int128.h"
#include "sim/base/rng.h"
#include "tests/support/random_network.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using engine::ActivityId;
using engine::FluidNetwork;
using engine::ResourceId;

struct Solved {
  FluidNetwork fluid;
  std::vector<ActivityId> ids;

  explicit Solved(const RandomNetwork& network) : fluid(network.capacities) {
    for (const NetworkActivity& a : network.activities) {
      ids.push_back(fluid.add(a.payload, a.cap, a.uses));
    }
    fluid.solve();
  }
  std::int64_t rate(std::size_t i) const { return fluid.rate(ids[i]).bytes_per_second; }
};

TEST(FluidNetworkProperties, NoLinkCarriesMoreThanItsCapacity) {
  for_each_seed([](std::uint64_t seed) {
    const RandomNetwork network = random_network(seed, {});
    const Solved solved(network);
    for (std::size_t r = 0; r < network.capacities.size(); ++r) {
      EXPECT_LE(solved.fluid.load(ResourceId{r}), network.capacities[r]);
    }
  });
}

/// Would one more byte per second for every activity as fast as `rate` overfill `resource`, and is
/// none of its activities faster?
bool is_bottleneck(const RandomNetwork& network, const Solved& solved, ResourceId resource,
                   std::int64_t rate) {
  Int128 raised = 0;
  for (std::size_t a = 0; a < network.activities.size(); ++a) {
    for (const engine::ResourceUse& use : network.activities[a].uses) {
      if (use.resource != resource) continue;
      if (solved.rate(a) > rate) return false;
      raised += static_cast<Int128>(use.weight_ppb) * (solved.rate(a) + (solved.rate(a) == rate));
    }
  }
  const Int128 capacity = network.capacities[resource.index()].bytes_per_second;
  return raised > capacity * 1'000'000'000;
}

TEST(FluidNetworkProperties, EveryActivityIsAtItsCapOrHasABottleneck) {
  for_each_seed([](std::uint64_t seed) {
    const RandomNetwork network = random_network(seed, {});
    const Solved solved(network);
    for (std::size_t a = 0; a < network.activities.size(); ++a) {
      const NetworkActivity& activity = network.activities[a];
      const bool bound = std::any_of(
          activity.uses.begin(), activity.uses.end(), [&](const engine::ResourceUse& use) {
            return is_bottleneck(network, solved, use.resource, solved.rate(a));
          });
      EXPECT_TRUE(bound || solved.rate(a) == activity.cap.bytes_per_second) << "activity " << a;
    }
  });
}

TEST(FluidNetworkProperties, NamesAndOrderDoNotMatter) {
  for_each_seed([](std::uint64_t seed) {
    const RandomNetwork network = random_network(seed, {});
    RandomNetwork renamed = network;  // links and activities in reverse order
    const std::size_t last = network.capacities.size() - 1;
    std::reverse(renamed.capacities.begin(), renamed.capacities.end());
    std::reverse(renamed.activities.begin(), renamed.activities.end());
    for (NetworkActivity& a : renamed.activities) {
      for (engine::ResourceUse& use : a.uses)
        use.resource = ResourceId{last - use.resource.index()};
    }
    std::vector<SimTime> ends = fluid_finish_times(renamed);
    std::reverse(ends.begin(), ends.end());
    EXPECT_EQ(ends, fluid_finish_times(network));
  });
}

// Activities come and go; after each change the rates are those of a network built afresh.
TEST(FluidNetworkProperties, IncrementalEqualsFromScratch) {
  for_each_seed([](std::uint64_t seed) {
    const RandomNetwork network = random_network(seed, {.max_links = 12, .max_activities = 30});
    Rng rng(seed);
    FluidNetwork fluid(network.capacities);
    std::vector<ActivityId> ids(network.activities.size());
    for (int change = 0; change < 40; ++change) {
      const auto i =
          static_cast<std::size_t>(rng.uniform_int(0, static_cast<std::int64_t>(ids.size()) - 1));
      const NetworkActivity& a = network.activities[i];
      if (ids[i].valid()) {
        fluid.remove(ids[i]);
        ids[i] = ActivityId{};
      } else {
        ids[i] = fluid.add(a.payload, a.cap, a.uses);
      }
      if (rng.chance(0.3)) continue;  // several changes before one solve
      fluid.solve();
      FluidNetwork fresh(network.capacities);
      std::vector<ActivityId> fresh_ids(ids.size());
      for (std::size_t k = 0; k < ids.size(); ++k) {
        const NetworkActivity& b = network.activities[k];
        if (ids[k].valid()) fresh_ids[k] = fresh.add(b.payload, b.cap, b.uses);
      }
      fresh.solve();
      for (std::size_t k = 0; k < ids.size(); ++k) {
        if (!ids[k].valid()) continue;
        ASSERT_EQ(fluid.rate(ids[k]), fresh.rate(fresh_ids[k]));
      }
    }
  });
}

// Raising one capacity never makes the sorted rates lexicographically smaller (beyond rounding).
TEST(FluidNetworkProperties, MoreCapacityIsLeximinBetter) {
  for_each_seed([](std::uint64_t seed) {
    RandomNetwork network = random_network(seed, {.weights = Weights::kOne});
    const auto sorted_rates = [](const RandomNetwork& n) {
      const Solved solved(n);
      std::vector<std::int64_t> rates;
      for (std::size_t i = 0; i < solved.ids.size(); ++i) rates.push_back(solved.rate(i));
      std::sort(rates.begin(), rates.end());
      return rates;
    };
    const auto before = sorted_rates(network);
    network.capacities[seed % network.capacities.size()].bytes_per_second *= 2;
    const auto after = sorted_rates(network);
    const std::int64_t rounding = 64;  // bytes per second, one per level and activity
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (after[i] > before[i] + rounding) return;
      ASSERT_GE(after[i], before[i] - rounding);
    }
  });
}

}  // namespace
}  // namespace heddle::test
