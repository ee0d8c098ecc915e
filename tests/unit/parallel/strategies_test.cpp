// Conformance: every strategy and dialect of the table, with every switch it models, on a small
// model for several rank counts. A new line in the table is tested here without a new test.

#include "sim/parallel/strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "sim/schedule/schedule_check.h"
#include "tests/unit/parallel/plans.h"
#include "tests/unit/parallel/variants.h"

namespace heddle::parallel {
namespace {

using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::OpKind;
using schedule::Schedule;
using testing::Case;

class EveryStrategy : public ::testing::TestWithParam<Case> {
 protected:
  Schedule plan(int steps = 2) const {
    testing::Setting setting = GetParam().setting;
    setting.training.steps = steps;
    return testing::plan(GetParam().strategy, GetParam().dialect, setting);
  }
  int ranks() const { return GetParam().setting.ranks; }
};

TEST_P(EveryStrategy, PlansASoundSchedule) {
  EXPECT_THAT(schedule::check_schedule(plan()), ::testing::IsEmpty());
}

TEST_P(EveryStrategy, AloneItCommunicatesNothing) {
  EXPECT_EQ(plan().collectives.empty(), ranks() == 1);
}

TEST_P(EveryStrategy, RepeatsItsStepExactly) {
  const Schedule s = plan(4);
  std::vector<std::size_t> begins;
  for (std::size_t i = 0; i < s.programs[0].ops.size(); ++i) {
    const schedule::Op& op = s.programs[0].ops[i];
    if (op.kind == OpKind::kMark && s.marks[op.arg].kind == schedule::Mark::Kind::kStepBegin) {
      begins.push_back(i);
    }
  }
  ASSERT_EQ(begins.size(), 4U);
  // Steps 0 and 1 may warm up (lazy states, buckets, traces); from then on nothing changes.
  const std::size_t length = begins[3] - begins[2];
  EXPECT_EQ(s.programs[0].ops.size() - begins[3], length);
  for (std::size_t i = 0; i < length; ++i) {
    const schedule::Op& a = s.programs[0].ops[begins[2] + i];
    const schedule::Op& b = s.programs[0].ops[begins[3] + i];
    ASSERT_TRUE(a.kind == b.kind && a.stream == b.stream && a.label == b.label)
        << "op " << i << " of the step";
  }
}

TEST_P(EveryStrategy, GathersAndReducesWhatItsStateNeeds) {
  if (ranks() == 1 || GetParam().reduced_bytes == 0) return;
  auto bytes = testing::traffic(plan());
  const std::int64_t reduced =
      bytes[CollectiveKind::kAllReduce] + bytes[CollectiveKind::kReduceScatter];
  // Every gradient is reduced once per reduction; padding may add a little.
  const std::int64_t gradients =
      GetParam().reduced_bytes * GetParam().setting.graph().param_count();
  EXPECT_GE(reduced, gradients);
  EXPECT_LE(reduced, gradients + gradients / 20);
}

INSTANTIATE_TEST_SUITE_P(Table, EveryStrategy, ::testing::ValuesIn(testing::every_case()),
                         [](const auto& c) { return testing::case_name(c.param); });

TEST(StrategyTable, NamesAreUniqueAndFound) {
  std::set<std::string> names;
  for (const StrategyEntry& entry : strategies()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_EQ(find_strategy(entry.name), &entry);
    EXPECT_FALSE(entry.dialects.empty());
  }
  EXPECT_EQ(find_strategy("zero4"), nullptr);
}

/// State of one rank after the optimizer, in bytes per parameter: the ladder of the ZeRO paper with
/// each framework's own copies. Rounding to 512 bytes and to N leaves a few percent on a toy model.
struct Ladder {
  std::string strategy;
  double parameters, gradients, optimizer;  // with N = 4
};

class StateLadder : public ::testing::TestWithParam<Ladder> {};

TEST_P(StateLadder, MatchesTheBytesPerParameter) {
  const Ladder& want = GetParam();
  const StrategyEntry* entry = find_strategy(want.strategy);
  const testing::Setting setting;
  const auto p = static_cast<double>(setting.graph().param_count());
  const auto state =
      testing::resident(testing::plan(want.strategy, entry->dialects.front(), setting));
  const auto per_param = [&](MemoryCategory c) {
    return static_cast<double>(state[static_cast<std::size_t>(c)]) / p;
  };
  EXPECT_NEAR(per_param(MemoryCategory::kParameters), want.parameters, 0.15);
  EXPECT_NEAR(per_param(MemoryCategory::kGradients), want.gradients, 0.15);
  EXPECT_NEAR(per_param(MemoryCategory::kOptimizer), want.optimizer, 0.25);
}

INSTANTIATE_TEST_SUITE_P(
    Bf16FourRanks, StateLadder,
    ::testing::Values(Ladder{"ddp", 2, 2, 4},           // pure bf16: moments follow the weights
                      Ladder{"zero1", 2, 0, 12.0 / 4},  // gradients dropped at the step
                      Ladder{"zero2", 2, 0, 12.0 / 4},  //
                      Ladder{"zero3", 2.0 / 4, 2.0 / 4, 12.0 / 4},
                      Ladder{"fsdp", 4.0 / 4, 4.0 / 4, 8.0 / 4}),
    [](const auto& ladder) { return ladder.param.strategy; });

}  // namespace
}  // namespace heddle::parallel
