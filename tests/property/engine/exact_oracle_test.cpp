// The integer solver against exact rationals.

#include <gtest/gtest.h>

#include "tests/support/exact_max_min.h"
#include "tests/support/random_network.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

std::vector<std::int64_t> exact_capacities(const RandomNetwork& network) {
  std::vector<std::int64_t> capacities;
  for (const Bandwidth b : network.capacities) capacities.push_back(b.bytes_per_second);
  return capacities;
}

std::vector<ExactActivity> exact_activities(const RandomNetwork& network) {
  std::vector<ExactActivity> activities;
  for (const NetworkActivity& a : network.activities) {
    ExactActivity exact{a.payload.value, a.cap.bytes_per_second, {}};
    for (const engine::ResourceUse& u : a.uses) {
      exact.uses.push_back({u.resource.index(), u.weight_ppb});
    }
    activities.push_back(exact);
  }
  return activities;
}

// Rates of whole bytes per second against rationals: the rounding of one level can be handed on
// to the next with the ratio of two weights, so the bound is relative.
constexpr double kTolerance = 1e-7;

TEST(ExactOracle, RatesAgree) {
  for_each_seed([](std::uint64_t seed) {
    const RandomNetwork network = random_network(seed, {});
    engine::FluidNetwork fluid(network.capacities);
    std::vector<engine::ActivityId> ids;
    for (const NetworkActivity& a : network.activities) {
      ids.push_back(fluid.add(a.payload, a.cap, a.uses));
    }
    fluid.solve();
    const auto exact = exact_rates(exact_capacities(network), exact_activities(network));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto ours = static_cast<double>(fluid.rate(ids[i]).bytes_per_second);
      EXPECT_NEAR(ours, exact[i], exact[i] * kTolerance);
    }
  });
}

TEST(ExactOracle, FinishTimesAgree) {
  for_each_seed([](std::uint64_t seed) {
    const RandomNetwork network = random_network(seed, {.endless = static_cast<int>(seed % 4)});
    const auto exact = exact_finish_times(exact_capacities(network), exact_activities(network));
    const std::vector<SimTime> ours = fluid_finish_times(network);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      // One picosecond per event is our own rounding.
      const double slack = static_cast<double>(ours.size()) * 1e-12;
      EXPECT_NEAR(ours[i].seconds(), exact[i], exact[i] * kTolerance + slack);
    }
  });
}

}  // namespace
}  // namespace heddle::test
