// One link of each class in place of all: the same ends.

#include "sim/engine/link_classes.h"

#include <gtest/gtest.h>

#include "sim/base/rng.h"
#include "tests/support/random_network.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

void set_apart(std::vector<engine::ResourceUse>& uses, engine::ResourceId copy) {
  if (!uses.empty() && uses.back().resource == copy) {
    ++uses.back().weight_ppb;
  } else {
    uses.push_back({copy, kPpb});
  }
}

/// Every link of the network up to five times, the copies used as it is, some by one more.
RandomNetwork with_copies(const RandomNetwork& network, Rng& rng) {
  RandomNetwork copied = network;
  for (std::size_t l = 0; l < network.capacities.size(); ++l) {
    for (std::int64_t copies = rng.uniform_int(0, 4); copies > 0; --copies) {
      const engine::ResourceId copy{copied.capacities.size()};
      copied.capacities.push_back(network.capacities[l]);
      for (NetworkActivity& a : copied.activities) {
        for (std::size_t u = 0, uses = a.uses.size(); u < uses; ++u) {
          if (a.uses[u].resource.index() == l) a.uses.push_back({copy, a.uses[u].weight_ppb});
        }
      }
      if (rng.chance(0.2)) set_apart(copied.activities.front().uses, copy);
    }
  }
  return copied;
}

TEST(LinkClasses, OneOfEachEndsAsAllDo) {
  std::size_t all = 0;
  std::size_t kept = 0;
  for_each_seed([&](std::uint64_t seed) {
    Rng rng(seed);
    const RandomNetwork network = with_copies(random_network(seed, {}), rng);
    RandomNetwork folded = network;
    engine::LinkClasses classes(network.capacities);
    for (const NetworkActivity& a : network.activities) classes.split_by(a.uses);
    for (NetworkActivity& a : folded.activities) {
      all += a.uses.size();
      classes.keep_first(a.uses);
      kept += a.uses.size();
    }
    ASSERT_EQ(fluid_finish_times(folded), fluid_finish_times(network));
  });
  EXPECT_LT(2 * kept, all);  // two copies of a link on average
}

TEST(LinkClasses, KeepsApartWhatCapacityOrWeightTellsApart) {
  const std::vector<Bandwidth> capacities{{10}, {10}, {20}, {10}, {10}};
  using Uses = std::vector<engine::ResourceUse>;
  Uses uses;
  for (std::size_t l = 0; l < 5; ++l) uses.push_back({engine::ResourceId{l}, l == 3 ? 2 : 1});
  const Uses other{{engine::ResourceId{4U}, 1}};
  engine::LinkClasses classes(capacities);
  classes.split_by(uses);
  classes.split_by(other);
  classes.keep_first(uses);
  std::vector<std::size_t> kept;
  for (const engine::ResourceUse& use : uses) kept.push_back(use.resource.index());
  EXPECT_EQ(kept, (std::vector<std::size_t>{0, 2, 3, 4}));  // 1 is as 0
}

}  // namespace
}  // namespace heddle::test
