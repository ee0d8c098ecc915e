#include "sim/engine/max_min_solver.h"

#include <gtest/gtest.h>

#include <limits>

namespace heddle::engine {
namespace {

constexpr std::int64_t kOne = 1'000'000'000;  // weight 1 in ppb
constexpr std::int64_t kNoCap = std::numeric_limits<std::int64_t>::max();

TEST(MaxMinSolver, SharesOneResourceEvenly) {
  MaxMinSolver solver;
  const auto link = solver.add_resource(90);
  for (int i = 0; i < 3; ++i) {
    solver.add_activity(kNoCap);
    solver.add_use(link, kOne);
  }
  const auto rates = solver.solve();
  EXPECT_EQ(std::vector<std::int64_t>(rates.begin(), rates.end()),
            (std::vector<std::int64_t>{30, 30, 30}));
}

// The textbook case: a crosses both links, b the first (10), c the second (100). The first fills
// at 5, which leaves c 95.
TEST(MaxMinSolver, GivesWhatABottleneckedActivityLeaves) {
  MaxMinSolver solver;
  const auto narrow = solver.add_resource(10);
  const auto wide = solver.add_resource(100);
  solver.add_activity(kNoCap);
  solver.add_use(narrow, kOne);
  solver.add_use(wide, kOne);
  solver.add_activity(kNoCap);
  solver.add_use(narrow, kOne);
  solver.add_activity(kNoCap);
  solver.add_use(wide, kOne);
  const auto rates = solver.solve();
  EXPECT_EQ(rates[0], 5);
  EXPECT_EQ(rates[1], 5);
  EXPECT_EQ(rates[2], 95);
}

// Weights 2 and 1 on a link of 90: both rise to 30, taking 60 and 30. With the first capped at 10
// it takes 20, and 70 are left.
TEST(MaxMinSolver, WeightsTakeMoreOfTheLinkNotOfTheRate) {
  for (const std::int64_t cap : {kNoCap, std::int64_t{10}}) {
    MaxMinSolver solver;
    const auto link = solver.add_resource(90);
    solver.add_activity(cap);
    solver.add_use(link, 2 * kOne);
    solver.add_activity(kNoCap);
    solver.add_use(link, kOne);
    const auto rates = solver.solve();
    EXPECT_EQ(rates[0], cap == 10 ? 10 : 30);
    EXPECT_EQ(rates[1], cap == 10 ? 70 : 30);
  }
}

// 100 over three: 33 each and 1 left over. If links that are full at the same integer level were
// not closed together, the activity on both could give the other's slack away.
TEST(MaxMinSolver, ClosesEqualLevelsTogether) {
  MaxMinSolver solver;
  const auto first = solver.add_resource(100);
  const auto second = solver.add_resource(101);
  for (int i = 0; i < 3; ++i) {
    solver.add_activity(kNoCap);
    solver.add_use(first, kOne);
    if (i == 0) solver.add_use(second, kOne);
  }
  for (int i = 0; i < 2; ++i) {
    solver.add_activity(kNoCap);
    solver.add_use(second, kOne);
  }
  for (const std::int64_t rate : solver.solve()) EXPECT_EQ(rate, 33);
}

TEST(MaxMinSolver, UnboundActivityRunsAtItsCap) {
  MaxMinSolver solver;
  solver.add_activity(17);
  EXPECT_EQ(solver.solve()[0], 17);
}

TEST(MaxMinSolver, CanBeUsedAgain) {
  MaxMinSolver solver;
  solver.add_resource(10);
  solver.add_activity(3);
  solver.add_use(0, kOne);
  solver.solve();
  solver.clear();
  EXPECT_TRUE(solver.solve().empty());
}

}  // namespace
}  // namespace heddle::engine
