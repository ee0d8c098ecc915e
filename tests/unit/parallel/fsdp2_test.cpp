// Windows of FSDP 2: what is gathered and reduced at once, in units U of a layer gathered in bf16
// (docs of torch/distributed/fsdp/_fully_shard and published peaks of torchtitan runs agree on
// them).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/parallel/plans.h"

namespace heddle::parallel {
namespace {

using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::Phase;
using testing::kLayer;
using testing::kParams;
using testing::kTable;
using testing::of;
using testing::peak_in;
using testing::peak_of;
using testing::Setting;

constexpr std::int64_t kU = 2 * kLayer;
constexpr std::int64_t kHead = kTable + 512;

schedule::Schedule fsdp2(const Setting& setting) {
  return testing::plan("fsdp", "fsdp2", setting);
}

Setting with(FsdpOptions options) {
  Setting setting;
  setting.options.fsdp = options;
  return setting;
}

// The gather output of the layer before and the new one; then weights beside their gather output.
TEST(Fsdp2, ForwardHoldsTwoUnitsAndThreeWithPrefetch) {
  const auto gathered = {MemoryCategory::kGatheredParameters};
  EXPECT_EQ(peak_in(fsdp2({}), Phase::kForward, 1, gathered), 2 * kU);
  EXPECT_EQ(peak_in(fsdp2(with({.forward_prefetch = true})), Phase::kForward, 1, gathered), 3 * kU);
}

// Backward of the middle layer: its weights, the next gather output, its gradients, and the input
// of the last reduce-scatter, 4 P_l in fp32. Sharded gradients of the head and the last layer are
// there for good.
TEST(Fsdp2, BackwardHoldsThreeUnitsAndTheReduceScatterInput) {
  const auto all = {MemoryCategory::kGatheredParameters, MemoryCategory::kCommunication,
                    MemoryCategory::kGradients};
  constexpr std::int64_t kShards = 4 * (kHead + kLayer) / 4;
  const auto s = fsdp2(with({.reduce_dtype = CastType::kFloat32}));
  EXPECT_EQ(peak_in(s, Phase::kBackward, 1, all), 3 * kU + 4 * kLayer + kShards);
  EXPECT_EQ(peak_in(fsdp2({}), Phase::kBackward, 1, all), 3 * kU + 2 * kLayer + kShards);
}

TEST(Fsdp2, Fp32ReductionNeedsNoCastAfterwards) {
  auto s = fsdp2(with({.reduce_dtype = CastType::kFloat32}));
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kReduceScatter], 4 * kParams);
  EXPECT_EQ(testing::count_ops(s, schedule::OpKind::kCompute, "cast gradient shard"), 0U);
}

// reshard_after_forward=False: all weights stay, and none is gathered for backward. At the last
// copy-out its gather output is there too.
TEST(Fsdp2, WithoutReshardingAllWeightsStay) {
  auto s = fsdp2(with({.sharding_strategy = FsdpSharding::kGradOp}));
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kAllGather], 2 * kParams);
  EXPECT_EQ(peak_in(s, Phase::kBackward, 2, {MemoryCategory::kGatheredParameters}),
            2 * kParams - 2 * kHead);
  auto sharded = fsdp2({});
  EXPECT_EQ(testing::traffic(sharded)[CollectiveKind::kAllGather],
            2 * kParams + 2 * (kTable + 3 * kLayer));  // the head group stays
}

TEST(Fsdp2, PureBf16HalvesEveryState) {
  const auto state = testing::resident(fsdp2(with({.master_dtype = CastType::kBFloat16})));
  // The head group's shard of 32896 elements loses half a block of 512 bytes; so does each moment
  // of the 7 norms, 128 elements.
  EXPECT_EQ(of(state, MemoryCategory::kParameters), 2 * kParams / 4 + 256);
  EXPECT_EQ(of(state, MemoryCategory::kGradients), 2 * kParams / 4 + 256);
  EXPECT_EQ(of(state, MemoryCategory::kOptimizer), 4 * kParams / 4 + 7 * 2 * 256);
}

// Full gradients of one layer, and its shard until it is stepped: nothing adds up.
TEST(Fsdp2, OptimizerInBackwardKeepsNoShardOfAGradient) {
  Setting setting;
  setting.training.optimizer.in_backward = true;
  const auto s = fsdp2(setting);
  const auto state = testing::resident(s);
  EXPECT_EQ(of(state, MemoryCategory::kGradients), 0);
  EXPECT_EQ(of(state, MemoryCategory::kOptimizer), 8 * kParams / 4);
  EXPECT_EQ(peak_of(s, MemoryCategory::kGradients), kU);  // U in bf16; then U / 2 as fp32 shard
}

TEST(Fsdp2, FrozenTensorsAreGatheredButNotReduced) {
  Setting setting;
  setting.only_queries_train = true;
  auto s = fsdp2(setting);
  constexpr std::int64_t kTrained = 3 * 512 * 512;
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kReduceScatter], 2 * kTrained);
  const auto state = testing::resident(s);
  EXPECT_EQ(of(state, MemoryCategory::kParameters), 4 * kParams / 4);
  EXPECT_EQ(of(state, MemoryCategory::kGradients), 4 * kTrained / 4);
  EXPECT_EQ(of(state, MemoryCategory::kOptimizer), 8 * kTrained / 4);
}

// Root: table and final norm, 2 kHead bytes in bf16. It stays from forward to its backward, where
// the last layer is gathered beside it; its gradient is reduced last.
TEST(Fsdp2, ATiedTableMakesOneRootThatStays) {
  Setting setting;
  setting.spec.tied_embeddings = true;
  auto s = fsdp2(setting);
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kAllGather], 2 * (kHead + 2 * 3 * kLayer));
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kReduceScatter], 2 * (kHead + 3 * kLayer));
  EXPECT_EQ(peak_in(s, Phase::kForward, 1, {MemoryCategory::kGatheredParameters}),
            2 * kHead + 2 * kU);
}

// A tied table cannot be in a unit of its own; version 1 has one way only.
TEST(Fsdp2, UnitsAreWrappedAsAsked) {
  const auto refusal = [](const FsdpOptions& options, bool tied, const char* dialect) {
    Setting setting = with(options);
    setting.spec.tied_embeddings = tied;
    return testing::refusal("fsdp", dialect, setting);
  };
  EXPECT_EQ(refusal({.wrap = FsdpWrapping::kEnds}, false, "fsdp2"), "");
  EXPECT_EQ(refusal({.wrap = FsdpWrapping::kRoot}, true, "fsdp2"), "");
  EXPECT_NE(refusal({.wrap = FsdpWrapping::kEnds}, true, "fsdp2"), "");
  EXPECT_NE(refusal({.wrap = FsdpWrapping::kRoot}, false, "fsdp1"), "");
}

TEST(Fsdp2, RefusesSwitchesOfVersion1) {
  const auto refusal = [](const FsdpOptions& options) {
    return testing::refusal("fsdp", "fsdp2", with(options));
  };
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({.backward_prefetch = BackwardPrefetch::kPre}), "");  // it always does
  EXPECT_NE(refusal({.backward_prefetch = BackwardPrefetch::kPost}), "");
  EXPECT_NE(refusal({.backward_prefetch = BackwardPrefetch::kNone}), "");
  EXPECT_NE(refusal({.limit_all_gathers = false}), "");
  EXPECT_NE(refusal({.use_orig_params = true}), "");
  EXPECT_NE(refusal({.sharding_strategy = FsdpSharding::kNone}), "");
  Setting setting;
  setting.training.optimizer = {.kind = OptimizerKind::kAdafactor,
                                .kernel = OptimizerKernel::kForLoop};
  EXPECT_NE(testing::refusal("fsdp", "fsdp2", setting), "");
  EXPECT_EQ(testing::refusal("fsdp", "fsdp1", setting), "");
}

}  // namespace
}  // namespace heddle::parallel
