// Conformance: every strategy and dialect of the table, on small models of both families, for
// several rank counts. A new line in the table is tested here without a new test.

#include "sim/parallel/strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/schedule/schedule_check.h"

namespace heddle::parallel {
namespace {

using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::OpKind;
using schedule::Schedule;

model::ModelSpec small_decoder() {
  model::ModelSpec spec;
  spec.name = "small";
  spec.hidden = 512;  // every matrix above the persistence threshold of ZeRO-3
  spec.layers = 3;
  spec.heads = 8;
  spec.kv_heads = 8;
  spec.head_dim = 64;
  spec.ffn = 1024;
  spec.vocab = 256;
  return spec;
}

model::GpuModel some_gpu() {
  model::GpuModel gpu;
  gpu.cublas_workspace = mebibytes(32);
  return gpu;
}

struct Named {
  const StrategyEntry* entry;
  std::string dialect;
};

std::vector<Named> every_dialect() {
  std::vector<Named> all;
  for (const StrategyEntry& entry : strategies()) {
    for (const std::string& dialect : entry.dialects) all.push_back({&entry, dialect});
  }
  return all;
}

Schedule plan_small(const StrategyEntry& entry, const std::string& dialect, int ranks) {
  const auto graph = model::build_model_graph(small_decoder(), {2, 8}, model::Precision::kBFloat16);
  const model::GpuModel gpu = some_gpu();
  const TrainingSpec training;
  return entry.make(dialect)->plan({graph, training, {}, gpu, ranks});
}

/// Live bytes by category right after the optimizer of the last step.
std::array<std::int64_t, schedule::kCategoryCount> resident(const Schedule& s) {
  std::array<std::int64_t, schedule::kCategoryCount> live{};
  auto result = live;
  for (const schedule::Op& op : s.programs[0].ops) {
    const auto change = [&](std::int64_t sign) {
      const schedule::Buffer& buffer = s.buffers[op.arg];
      live[static_cast<std::size_t>(buffer.category)] += sign * buffer.bytes.value;
    };
    if (op.kind == OpKind::kAlloc) change(1);
    if (op.kind == OpKind::kFree) change(-1);
    if (op.kind == OpKind::kMark && s.marks[op.arg].kind == schedule::Mark::Kind::kAfterOptimizer) {
      result = live;
    }
  }
  return result;
}

/// Bytes of the last step's collectives by kind, scalars (norms) left out.
std::map<CollectiveKind, std::int64_t> traffic(const Schedule& s) {
  std::map<CollectiveKind, std::int64_t> bytes;
  for (const schedule::Op& op : s.programs[0].ops) {
    if (op.kind == OpKind::kMark && s.marks[op.arg].kind == schedule::Mark::Kind::kStepBegin) {
      bytes.clear();
    }
    if (op.kind != OpKind::kCollective) continue;
    const schedule::Collective& c = s.collectives[op.arg];
    if (c.bytes.value > 4) bytes[c.kind] += c.bytes.value;
  }
  return bytes;
}

class EveryStrategy : public ::testing::TestWithParam<std::tuple<std::size_t, int>> {
 protected:
  Named named() const { return every_dialect()[std::get<0>(GetParam())]; }
  int ranks() const { return std::get<1>(GetParam()); }
};

TEST_P(EveryStrategy, PlansASoundSchedule) {
  EXPECT_THAT(schedule::check_schedule(plan_small(*named().entry, named().dialect, ranks())),
              ::testing::IsEmpty());
}

TEST_P(EveryStrategy, AloneItCommunicatesNothing) {
  const Schedule s = plan_small(*named().entry, named().dialect, ranks());
  EXPECT_EQ(s.collectives.empty(), ranks() == 1);
}

TEST_P(EveryStrategy, RepeatsItsStepExactly) {
  const auto graph = model::build_model_graph(small_decoder(), {2, 8}, model::Precision::kBFloat16);
  const model::GpuModel gpu = some_gpu();
  TrainingSpec training;
  training.steps = 4;
  const Schedule s =
      named().entry->make(named().dialect)->plan({graph, training, {}, gpu, ranks()});
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
  const Schedule s = plan_small(*named().entry, named().dialect, ranks());
  if (ranks() == 1) return;
  auto bytes = traffic(s);
  const std::int64_t reduced =
      bytes[CollectiveKind::kAllReduce] + bytes[CollectiveKind::kReduceScatter];
  const auto graph = model::build_model_graph(small_decoder(), {2, 8}, model::Precision::kBFloat16);
  const std::int64_t weights = 2 * graph.param_count();
  EXPECT_GE(reduced, weights);  // every gradient is reduced once; padding may add a little
  EXPECT_LE(reduced, weights + weights / 20);
}

std::string test_name(const ::testing::TestParamInfo<std::tuple<std::size_t, int>>& info) {
  const Named named = every_dialect()[std::get<0>(info.param)];
  std::string name = named.entry->name + "_" + named.dialect;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name + "_" + std::to_string(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Table, EveryStrategy,
                         ::testing::Combine(::testing::Range(std::size_t{0},
                                                             every_dialect().size()),
                                            ::testing::Values(1, 2, 4, 7)),
                         test_name);

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
  const auto graph = model::build_model_graph(small_decoder(), {2, 8}, model::Precision::kBFloat16);
  const auto p = static_cast<double>(graph.param_count());
  const auto state = resident(plan_small(*entry, entry->dialects.front(), 4));
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
