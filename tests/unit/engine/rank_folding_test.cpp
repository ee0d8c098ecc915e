#include "sim/engine/rank_folding.h"

#include <gtest/gtest.h>

namespace heddle::engine {
namespace {

schedule::Schedule two_programs() {
  schedule::Schedule s;
  s.programs.resize(2);
  s.program_of_rank = {1, 0, 1, 0, 0};
  s.communicators = {{"all", {{0, 1, 2, 3, 4}}}, {"zeros", {{1, 3, 4}}}};
  return s;
}

TEST(RankClasses, FoldRanksOfOneProgram) {
  const schedule::Schedule s = two_programs();
  const Folding folding = fold_ranks(s, CostTable{}, true);
  const auto& classes = folding.classes;
  ASSERT_EQ(classes.size(), 2U);
  EXPECT_EQ(classes[0].program, 1);
  EXPECT_EQ(classes[0].multiplicity, 2);
  EXPECT_EQ(classes[1].first_rank, 1);
  EXPECT_EQ(classes[1].multiplicity, 3);
  ASSERT_EQ(folding.groups.size(), 2U);
  EXPECT_EQ(folding.groups[0].members, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(folding.groups[1].members, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(folding.group_of[0], (std::vector<std::uint32_t>{0, Folding::kNone}));
}

TEST(RankClasses, AreRanksWhenNotFolded) {
  const schedule::Schedule s = two_programs();
  const Folding folding = fold_ranks(s, CostTable{}, false);
  ASSERT_EQ(folding.classes.size(), 5U);
  EXPECT_EQ(folding.groups[1].members, (std::vector<std::uint32_t>{1, 3, 4}));
}

// Rank 3 is slow: of the program of ranks 1, 3 and 4 it is a class of its own.
TEST(RankClasses, SplitBySpeed) {
  const schedule::Schedule s = two_programs();
  constexpr std::int64_t kHalf = kPpb / 2;
  CostTable costs;
  costs.speeds = {kPpb, kPpb, kPpb, kHalf, kPpb};
  const Folding folding = fold_ranks(s, costs, true);
  ASSERT_EQ(folding.classes.size(), 3U);
  EXPECT_EQ(folding.classes[1].multiplicity, 2);
  EXPECT_EQ(folding.classes[2].first_rank, 3);
  EXPECT_EQ(folding.classes[2].speed_ppb, kHalf);
  EXPECT_EQ(folding.class_of_rank, (std::vector<std::uint32_t>{0, 1, 0, 2, 1}));
  EXPECT_EQ(folding.groups[1].members, (std::vector<std::uint32_t>{1, 2}));
}

/// Four ranks of one program: shard groups {0, 1} and {2, 3}, replicas {0, 2} and {1, 3}, each
/// group on a link of its own.
struct Mesh {
  schedule::Schedule schedule;
  std::vector<std::vector<collective::LinkUse>> uses;
  CostTable costs;

  Mesh() {
    schedule.programs.resize(1);
    schedule.program_of_rank = {0, 0, 0, 0};
    schedule.communicators = {{"shard", {{0, 1}, {2, 3}}}, {"replicate", {{0, 2}, {1, 3}}}};
    for (std::uint32_t c = 0; c < 2; ++c) {
      schedule.collectives.push_back({schedule::CollectiveKind::kAllReduce,
                                      schedule::CommunicatorId{c}, Bytes{1000},
                                      schedule::DType::kBFloat16});
    }
    costs.links.assign(4, Bandwidth{1'000'000'000});
    costs.entries = {{0, 1}, {2, 3}};
    for (std::uint32_t entry = 0; entry < 4; ++entry) {
      uses.push_back({{fabric::LinkId{entry}, kPpb, kPpb}});
    }
    for (std::uint32_t entry = 0; entry < 4; ++entry) {
      collective::CollectiveCost cost;
      cost.payload = Bytes{1000};
      cost.rate_cap = Bandwidth{1'000'000'000};
      cost.uses = uses[entry];
      costs.collectives.push_back(cost);
    }
  }
};

TEST(GroupClasses, FoldEqualGroups) {
  const Mesh mesh;
  const Folding folding = fold_ranks(mesh.schedule, mesh.costs, true);
  ASSERT_EQ(folding.classes.size(), 1U);
  EXPECT_EQ(folding.classes[0].multiplicity, 4);
  ASSERT_EQ(folding.groups.size(), 2U);
  EXPECT_EQ(folding.groups[0].groups, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(folding.groups[1].groups, (std::vector<std::uint32_t>{0, 1}));
}

// Rank 3 is slow: rank 2 waits for it in its shard group, rank 1 among its replicas, rank 0 for
// neither at once.
TEST(GroupClasses, SplitAroundASlowRank) {
  Mesh mesh;
  mesh.costs.speeds = {kPpb, kPpb, kPpb, kPpb / 2};
  const Folding folding = fold_ranks(mesh.schedule, mesh.costs, true);
  EXPECT_EQ(folding.classes.size(), 4U);
  EXPECT_EQ(folding.groups.size(), 4U);
}

// The second shard group's link is slower: its ranks differ from the first's, but not from each
// other; the groups of replicas hold one of each.
TEST(GroupClasses, SplitByTheCapacityOfALink) {
  Mesh mesh;
  mesh.costs.links[1] = Bandwidth{500'000'000};
  const Folding folding = fold_ranks(mesh.schedule, mesh.costs, true);
  EXPECT_EQ(folding.class_of_rank, (std::vector<std::uint32_t>{0, 0, 1, 1}));
  ASSERT_EQ(folding.groups.size(), 3U);
  EXPECT_EQ(folding.groups[2].groups, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(folding.groups[2].members, (std::vector<std::uint32_t>{0, 1}));
}

// Somebody else's traffic on the link of the first set of replicas.
TEST(GroupClasses, SplitByBackgroundTraffic) {
  Mesh mesh;
  BackgroundFlow flow;
  flow.uses = {{fabric::LinkId{2}, kPpb, kPpb}};
  mesh.costs.background.push_back(flow);
  const Folding folding = fold_ranks(mesh.schedule, mesh.costs, true);
  EXPECT_EQ(folding.class_of_rank, (std::vector<std::uint32_t>{0, 1, 0, 1}));
}

}  // namespace
}  // namespace heddle::engine
