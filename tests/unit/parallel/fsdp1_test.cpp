#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sim/parallel/strategies/flat_layout.h"
#include "tests/unit/parallel/plans.h"

namespace heddle::parallel {
namespace {

using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::OpKind;
using testing::kLayer;
using testing::kParams;
using testing::kTable;
using testing::of;
using testing::peak_of;
using testing::Setting;

// Four ranks. A layer gathered in bf16 is U, the root (both tables and the final norm) R.
constexpr std::int64_t kU = 2 * kLayer;
constexpr std::int64_t kR = 2 * (2 * kTable + 512);

schedule::Schedule fsdp1(const Setting& setting) {
  return testing::plan("fsdp", "fsdp1", setting);
}

Setting with(FsdpOptions options) {
  Setting setting;
  setting.options.fsdp = options;
  return setting;
}

std::int64_t peak_gathered(const FsdpOptions& options) {
  return peak_of(fsdp1(with(options)), MemoryCategory::kGatheredParameters);
}

TEST(Fsdp1, PureBf16HalvesEveryState) {
  const auto mixed = testing::resident(fsdp1({}));
  EXPECT_EQ(of(mixed, MemoryCategory::kParameters), 4 * kParams / 4);
  EXPECT_EQ(of(mixed, MemoryCategory::kGradients), 4 * kParams / 4);
  EXPECT_EQ(of(mixed, MemoryCategory::kOptimizer), 8 * kParams / 4);
  const auto pure = testing::resident(fsdp1(with({.master_dtype = CastType::kBFloat16})));
  // The root's shard of 65664 elements is 256.5 x 512 bytes in bf16: half a block is lost.
  EXPECT_EQ(of(pure, MemoryCategory::kParameters), 2 * kParams / 4 + 256);
  EXPECT_EQ(of(pure, MemoryCategory::kGradients), 2 * kParams / 4 + 256);
  EXPECT_EQ(of(pure, MemoryCategory::kOptimizer), 4 * kParams / 4 + 2 * 256);
}

// One unit beside the root, and the next shard cast (U / 4); prefetch makes it two units.
TEST(Fsdp1, PrefetchHoldsOneMoreUnit) {
  EXPECT_EQ(peak_gathered({}), kR + kU + kU / 4);
  EXPECT_EQ(peak_gathered({.backward_prefetch = BackwardPrefetch::kPre}), kR + 2 * kU + kU / 4);
  EXPECT_EQ(peak_gathered({.backward_prefetch = BackwardPrefetch::kPost}), kR + kU + kU / 4);
  EXPECT_EQ(peak_gathered({.forward_prefetch = true}), kR + 2 * kU + kU / 4);
  EXPECT_EQ(peak_gathered({.master_dtype = CastType::kBFloat16}), kR + kU);  // nothing to cast
}

TEST(Fsdp1, ShardGradOpKeepsAllWeightsFromForwardToBackward) {
  EXPECT_EQ(peak_gathered({.sharding_strategy = FsdpSharding::kGradOp}), 2 * kParams + kU / 4);
}

// The limiter's waits: with 7 unshards in a step (root, 3 forward, 3 backward) and two in flight.
TEST(Fsdp1, WithoutTheLimitTheHostWaitsForNoGather) {
  EXPECT_GT(testing::count_ops(fsdp1({}), OpKind::kHostWait, "host_wait"), 1U);
  EXPECT_EQ(
      testing::count_ops(fsdp1(with({.limit_all_gathers = false})), OpKind::kHostWait, "host_wait"),
      1U);  // the loss
}

// bf16 reduction: flat gradient U and the output U / 4 until it is cast. fp32: U and its cast 2 U;
// the output is the sharded gradient.
TEST(Fsdp1, Fp32ReductionCastsTheFlatGradient) {
  EXPECT_EQ(peak_of(fsdp1({}), MemoryCategory::kCommunication), kU + kU / 4);
  const auto s = fsdp1(with({.reduce_dtype = CastType::kFloat32}));
  EXPECT_EQ(peak_of(s, MemoryCategory::kCommunication), 3 * kU);
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kReduceScatter], 4 * kParams);
}

// Five ranks: a layer of 2622464 elements is padded to 2622465, so its gradient is copied.
TEST(Fsdp1, AGradientThatIsNotDivisibleIsPadded) {
  Setting setting;
  EXPECT_EQ(testing::count_ops(fsdp1(setting), OpKind::kCompute, "pad gradient"), 0U);
  setting.ranks = 5;
  EXPECT_EQ(testing::count_ops(fsdp1(setting), OpKind::kCompute, "pad gradient"), 4U);
  setting.options.fsdp.use_orig_params = true;
  EXPECT_EQ(testing::count_ops(fsdp1(setting), OpKind::kCompute, "pad gradient"), 0U);
}

TEST(Fsdp1, NoShardHoldsEverythingAndAllReduces) {
  auto s = fsdp1(with({.sharding_strategy = FsdpSharding::kNone}));
  const auto state = testing::resident(s);
  EXPECT_EQ(of(state, MemoryCategory::kParameters), 4 * kParams);
  EXPECT_EQ(of(state, MemoryCategory::kGradients), 4 * kParams);
  EXPECT_EQ(of(state, MemoryCategory::kOptimizer), 8 * kParams);
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kAllReduce], 2 * kParams);
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kAllGather], 0);
  EXPECT_EQ(peak_of(s, MemoryCategory::kGatheredParameters), kR + kU);  // the cast copies
}

// Without no_sync every micro-batch reduces; the second's shard is added to the first's.
TEST(Fsdp1, EveryMicroBatchReduces) {
  Setting setting;
  setting.training.accumulation = 2;
  const auto s = fsdp1(setting);
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kReduceScatter], 2 * 2 * kParams);
  EXPECT_EQ(testing::count_ops(s, OpKind::kCompute, "accumulate gradient"), 4U);  // root, 3 layers
  EXPECT_EQ(of(testing::resident(s), MemoryCategory::kGradients), 4 * kParams / 4);
}

TEST(Fsdp1, MixedUnitsNeedOrigParams) {
  Setting setting;
  setting.only_queries_train = true;
  EXPECT_THAT(testing::refusal("fsdp", "fsdp1", setting), ::testing::HasSubstr("use_orig_params"));
  setting.options.fsdp.use_orig_params = true;
  EXPECT_EQ(testing::refusal("fsdp", "fsdp1", setting), "");
}

// A layer's flat gradient holds frozen tensors too, but only q_proj has moments. q_proj begins
// after the input norm: elements 512 to 262656 of a shard of 655616: all on rank 0. The root is
// frozen.
TEST(Fsdp1, FrozenTensorsShareTheFlatGradientButHaveNoState) {
  Setting setting;
  setting.only_queries_train = true;
  setting.options.fsdp.use_orig_params = true;
  auto s = fsdp1(setting);
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kReduceScatter], 3 * kU);
  const auto state = testing::resident(s);
  EXPECT_EQ(of(state, MemoryCategory::kParameters), 4 * kParams / 4);
  EXPECT_EQ(of(state, MemoryCategory::kGradients), 3 * 4 * kLayer / 4);
  EXPECT_EQ(of(state, MemoryCategory::kOptimizer), 8 * 3 * 512 * 512);
}

model::ModelGraph two_tensors() {
  model::ModelGraph graph;
  graph.modules.resize(1);
  graph.modules[0].params = {{.name = "a", .shape = {3}}, {.name = "b", .shape = {5}}};
  return graph;
}

TEST(FlatLayout, TensorsFollowEachOther) {
  const FlatLayout layout = flat_layout(two_tensors(), {.modules = {0}}, 3, 1);
  EXPECT_EQ(layout.elements, 8);
  EXPECT_EQ(layout.shard, 3);  // 9 with padding
}

TEST(FlatLayout, AlignmentSpacesTensorsAndPadsTheFlatParameterItself) {
  const FlatLayout layout = flat_layout(two_tensors(), {.modules = {0}}, 3, 8);
  ASSERT_EQ(layout.trained.size(), 2U);
  EXPECT_EQ(layout.trained[1].begin, 8);
  EXPECT_EQ(layout.trained[1].end, 13);
  EXPECT_EQ(layout.shard, 5);  // 13 over 3
  EXPECT_EQ(layout.elements, 15);
}

// Shards of 5: a is 0..3 on rank 0; b is 8..13: two elements on rank 1, three on rank 2. Ranks 0
// and 2 hold three; the first counts.
TEST(FlatLayout, TheFullestRankHoldsItsPartOfEachTensor) {
  const FlatLayout layout = flat_layout(two_tensors(), {.modules = {0}}, 3, 8);
  EXPECT_THAT(fullest_rank({layout}, 3), ::testing::ElementsAre(OptimizerTensor{3, 0}));
}

/// Streams besides their own that use the buffers of that name, one bit each.
std::set<int> users(const schedule::Schedule& s, std::string_view name) {
  std::set<int> found;
  for (const schedule::Buffer& buffer : s.buffers) {
    if (s.label(buffer.label).name == name) found.insert(buffer.used_by);
  }
  return found;
}

int bit(schedule::StreamKind stream) {
  return 1 << static_cast<int>(stream);
}

TEST(Fsdp1, BuffersThatCrossStreamsAreRecorded) {
  using schedule::StreamKind;
  const auto s = fsdp1({});
  EXPECT_EQ(users(s, "unsharded unit"), std::set{bit(StreamKind::kCompute)});
  EXPECT_EQ(users(s, "flat gradient"), std::set{bit(StreamKind::kReduce)});
  EXPECT_THAT(users(s, "sharded gradient"), ::testing::Contains(bit(StreamKind::kCompute)));
  const auto version2 = testing::plan("fsdp", "fsdp2", {});
  EXPECT_EQ(users(version2, "unsharded weights"), std::set{0});
}

TEST(Fsdp1, RefusesWhatItCannotRun) {
  const auto refusal = [](const FsdpOptions& options) {
    return testing::refusal("fsdp", "fsdp1", with(options));
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_THAT(refusal({.sharding_strategy = FsdpSharding::kHybrid}),
              ::testing::HasSubstr("set shard_group"));  // nobody said what a machine holds
  EXPECT_THAT(refusal({.sharding_strategy = FsdpSharding::kHybrid, .shard_group = 3}),
              ::testing::HasSubstr("shard groups of 3"));
  EXPECT_THAT(refusal({.sharding_strategy = FsdpSharding::kHybrid, .shard_group = 1}),
              ::testing::HasSubstr("take ddp"));
  EXPECT_NE(refusal({.shard_group = 2}), "");
  EXPECT_NE(refusal({.param_dtype = CastType::kFloat16}), "");
  EXPECT_NE(refusal({.param_dtype = CastType::kFloat32}), "");  // training in bf16
  Setting setting;
  setting.training.optimizer.in_backward = true;
  EXPECT_NE(testing::refusal("fsdp", "fsdp1", setting), "");
}

}  // namespace
}  // namespace heddle::parallel
