// Recurrences over all ranks at once end where the same sends do one by one, whoever arrives when.

#include <gtest/gtest.h>

#include "sim/base/rng.h"
#include "sim/collective/grid_times.h"
#include "tests/support/event_grid.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using collective::Grid;
using collective::GridDimension;
using collective::RankTimes;
using schedule::CollectiveKind;

std::vector<GridDimension> random_dimensions(Rng& rng) {
  std::vector<GridDimension> dimensions(static_cast<std::size_t>(rng.uniform_int(1, 3)));
  for (GridDimension& d : dimensions) {
    d.ranks = static_cast<std::size_t>(rng.uniform_int(1, 9));
    d.link = {rng.uniform_int(1, 400) * 1'000'000'000};
    d.latency = nanoseconds(rng.uniform_int(0, 3'000));
  }
  return dimensions;
}

void expect_equal_ends(std::uint64_t seed, bool links_differ) {
  Rng rng(seed);
  const std::vector<GridDimension> dimensions = random_dimensions(rng);
  std::size_t ranks = 1;
  for (const GridDimension& d : dimensions) ranks *= d.ranks;
  RankTimes times(ranks);
  std::vector<double> factors;
  for (double& t : times) {
    t = static_cast<double>(rng.uniform_int(0, 100'000'000));  // up to 100 us
    if (links_differ) factors.push_back(0.9 + 0.001 * static_cast<double>(rng.uniform_int(0, 200)));
  }
  const Bytes payload{rng.uniform_int(1, 10'000'000)};
  Grid grid(dimensions, factors);
  for (const CollectiveKind kind :
       {CollectiveKind::kAllReduce, CollectiveKind::kAllGather, CollectiveKind::kReduceScatter}) {
    const RankTimes plain = event_by_event(dimensions, factors, kind, payload, times);
    grid.run(kind, payload, times);
    ASSERT_EQ(times, plain) << schedule::to_string(kind);
  }
}

TEST(RankTimes, EqualLinksEndWhereEventsDo) {
  for_each_seed([](std::uint64_t seed) { expect_equal_ends(seed, false); });
}

TEST(RankTimes, DifferentLinksEndWhereEventsDo) {
  for_each_seed([](std::uint64_t seed) { expect_equal_ends(seed, true); });
}

}  // namespace
}  // namespace heddle::test
