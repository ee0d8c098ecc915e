// Groups of a communicator that fold must behave as each does by itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/engine/rank_folding.h"
#include "sim/engine/simulation.h"
#include "sim/schedule/schedule_check.h"
#include "tests/support/mesh_case.h"
#include "tests/support/seeds.h"

namespace heddle::test {
namespace {

using engine::RankResult;
using engine::RunResult;

RunResult run(const RandomCase& c, bool fold) {
  return engine::simulate(c.schedule, c.costs, {.fold = fold, .record_intervals = true});
}

void expect_same_life(const RankResult& one, const RankResult& other) {
  EXPECT_EQ(one.marks, other.marks);
  ASSERT_EQ(one.steps.size(), other.steps.size());
  for (std::size_t s = 0; s < one.steps.size(); ++s) {
    EXPECT_EQ(one.steps[s].step, other.steps[s].step);
    EXPECT_EQ(one.steps[s].exposed_comm, other.steps[s].exposed_comm);
  }
  ASSERT_EQ(one.intervals.size(), other.intervals.size());
  for (std::size_t i = 0; i < one.intervals.size(); ++i) {
    EXPECT_EQ(one.intervals[i].start, other.intervals[i].start);
    EXPECT_EQ(one.intervals[i].end, other.intervals[i].end);
  }
}

/// Every rank of the unfolded run against its class.
void expect_folds(const RandomCase& c) {
  ASSERT_THAT(schedule::check_schedule(c.schedule), ::testing::IsEmpty());
  const engine::Folding folding = engine::fold_ranks(c.schedule, c.costs, true);
  const RunResult folded = run(c, true);
  const RunResult apart = run(c, false);
  ASSERT_EQ(folded.ranks.size(), folding.classes.size());
  for (std::size_t rank = 0; rank < apart.ranks.size(); ++rank) {
    expect_same_life(folded.ranks[folding.class_of_rank[rank]], apart.ranks[rank]);
  }
  EXPECT_EQ(folded.link_bytes, apart.link_bytes);
  for (std::size_t i = 0; i < folded.collectives.size(); ++i) {
    EXPECT_EQ(folded.collectives[i].calls, apart.collectives[i].calls);
    EXPECT_EQ(folded.collectives[i].busy, apart.collectives[i].busy);
  }
}

TEST(GroupFolding, CopiesOfAJobFoldIntoOne) {
  for_each_seed([](std::uint64_t seed) {
    const RandomCase c = mesh_case(seed, false);
    const auto copies = c.schedule.communicators.front().groups.size();
    const engine::Folding folding = engine::fold_ranks(c.schedule, c.costs, true);
    EXPECT_LE(folding.classes.size() * copies, static_cast<std::size_t>(c.schedule.rank_count()));
    expect_folds(c);
  });
}

TEST(GroupFolding, SplitsWhereTheyDiffer) {
  int split = 0;
  for_each_seed([&](std::uint64_t seed) {
    const RandomCase c = mesh_case(seed, true);
    const RandomCase whole = mesh_case(seed, false);
    split += engine::fold_ranks(c.schedule, c.costs, true).classes.size() >
                     engine::fold_ranks(whole.schedule, whole.costs, true).classes.size()
                 ? 1
                 : 0;
    expect_folds(c);
  });
  EXPECT_GT(split, 50);
}

}  // namespace
}  // namespace heddle::test
