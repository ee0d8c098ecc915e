// Hybrid sharding: two groups of two ranks each hold the model, each rank half of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/parallel/plans.h"

namespace heddle::parallel {
namespace {

using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::Schedule;
using schedule::StreamKind;

testing::Setting hybrid() {
  testing::Setting setting;
  setting.options.fsdp.sharding_strategy = FsdpSharding::kHybrid;
  setting.options.fsdp.shard_group = 2;
  return setting;
}

testing::Setting fully_sharded(int ranks) {
  testing::Setting setting;
  setting.ranks = ranks;
  return setting;
}

/// Bytes of the last step's collectives by communicator and kind, the norm left out.
std::map<std::pair<std::string, CollectiveKind>, std::int64_t> traffic(const Schedule& s) {
  std::map<std::pair<std::string, CollectiveKind>, std::int64_t> bytes;
  const auto& ops = s.programs[0].ops;
  for (std::size_t i = testing::last_mark(s, schedule::Mark::Kind::kStepBegin); i < ops.size();
       ++i) {
    if (ops[i].kind != schedule::OpKind::kCollective) continue;
    const schedule::Collective& call = s.collectives[ops[i].arg];
    if (call.bytes.value <= 4) continue;
    bytes[{s.communicators[call.communicator.index()].name, call.kind}] += call.bytes.value;
  }
  return bytes;
}

class Hybrid : public ::testing::TestWithParam<std::string> {
 protected:
  Schedule plan(const testing::Setting& setting) const {
    return testing::plan("fsdp", GetParam(), setting);
  }
};

TEST_P(Hybrid, ShardsAmongNeighboursAndReplicatesAcross) {
  const Schedule s = plan(hybrid());
  ASSERT_EQ(s.communicators.size(), 3U);
  EXPECT_EQ(s.communicators[1].groups, (std::vector<std::vector<int>>{{0, 1}, {2, 3}}));
  EXPECT_EQ(s.communicators[2].groups, (std::vector<std::vector<int>>{{0, 2}, {1, 3}}));
}

// Gathers and reduce-scatters are those of two ranks; each half of the gradients (P in bf16 as a
// whole, so P bytes) is all-reduced once more.
TEST_P(Hybrid, AddsAnAllReduceOfEachShard) {
  const auto moved = traffic(plan(hybrid()));
  const auto alone = traffic(plan(fully_sharded(2)));
  EXPECT_EQ(moved.at({"shard", CollectiveKind::kAllGather}),
            alone.at({"world", CollectiveKind::kAllGather}));
  EXPECT_EQ(moved.at({"shard", CollectiveKind::kReduceScatter}),
            alone.at({"world", CollectiveKind::kReduceScatter}));
  EXPECT_EQ(moved.at({"replicate", CollectiveKind::kAllReduce}), testing::kParams);
  EXPECT_EQ(moved.size(), 3U);
}

TEST_P(Hybrid, HoldsWhatAShardGroupHolds) {
  EXPECT_EQ(testing::resident(plan(hybrid())), testing::resident(plan(fully_sharded(2))));
}

TEST_P(Hybrid, OneGroupOfAllRanksIsFullSharding) {
  testing::Setting setting = hybrid();
  setting.options.fsdp.shard_group = 0;
  setting.ranks_per_node = 4;
  const Schedule one = plan(setting);
  const Schedule full = plan(fully_sharded(4));
  EXPECT_EQ(one.communicators.size(), 1U);
  EXPECT_EQ(one.collectives, full.collectives);
  EXPECT_EQ(one.programs[0].ops.size(), full.programs[0].ops.size());
}

TEST_P(Hybrid, ReplicasReduceOnAStreamOfTheirOwn) {
  const Schedule s = plan(hybrid());
  for (const schedule::Op& op : s.programs[0].ops) {
    if (op.kind != schedule::OpKind::kCollective) continue;
    const auto& call = s.collectives[op.arg];
    const bool replicates = call.communicator == schedule::CommunicatorId{std::size_t{2}};
    EXPECT_EQ(op.stream == StreamKind::kReplicate, replicates);
  }
}

INSTANTIATE_TEST_SUITE_P(Fsdp, Hybrid, ::testing::Values("fsdp1", "fsdp2"),
                         [](const auto& c) { return c.param; });

// foreach_reduce keeps what was all-reduced until backward ends: with bf16 reductions, cast to fp32
// shards, P_u / N in bf16 of every unit.
TEST(HybridFsdp2, KeepsEveryReducedShardUntilBackwardEnds) {
  const auto kept = [](const testing::Setting& setting) {
    return testing::peak_of(testing::plan("fsdp", "fsdp2", setting),
                            MemoryCategory::kCommunication);
  };
  const std::int64_t alone = kept(fully_sharded(2));
  const std::int64_t among_replicas = kept(hybrid());
  EXPECT_GT(among_replicas, alone);
  EXPECT_LE(among_replicas - alone, testing::kParams);  // 2 bytes, halved
}

}  // namespace
}  // namespace heddle::parallel
