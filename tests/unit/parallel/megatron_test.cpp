#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/parallel/plans.h"

namespace heddle::parallel {
namespace {

using schedule::CollectiveKind;
using schedule::MemoryCategory;
using schedule::OpKind;
using testing::kLargest;
using testing::kParams;
using testing::of;
using testing::peak_of;
using testing::Setting;

// With four ranks: every tensor of the small model is a multiple of 64 elements and all of them
// together, 8130048 = 63516 x 128, one of lcm(4, 128) = 128: no padding.
static_assert(kParams % 128 == 0);

schedule::Schedule megatron(const Setting& setting) {
  return testing::plan("megatron", "megatron", setting);
}

Setting with(MegatronOptions options) {
  Setting setting;
  setting.options.megatron = options;
  return setting;
}

// memory_model: 6 + 12/N bytes per parameter with the distributed optimizer, 18 without.
TEST(Megatron, ShardsMasterAndMoments) {
  auto s = megatron({});
  const auto state = testing::resident(s);
  EXPECT_EQ(of(state, MemoryCategory::kParameters), 2 * kParams);
  EXPECT_EQ(of(state, MemoryCategory::kGradients), 4 * kParams);
  EXPECT_EQ(of(state, MemoryCategory::kOptimizer), 12 * kParams / 4);
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kReduceScatter], 4 * kParams);
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kAllGather], 2 * kParams);
}

TEST(Megatron, WithoutTheDistributedOptimizerNothingIsSharded) {
  auto s = megatron(with({.use_distributed_optimizer = false}));
  EXPECT_EQ(of(testing::resident(s), MemoryCategory::kOptimizer), 12 * kParams);
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kAllReduce], 4 * kParams);
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kAllGather], 0);
}

// A bf16 gradient is a temporary beside the buffer.
TEST(Megatron, BackwardAddsIntoTheBuffer) {
  EXPECT_EQ(peak_of(megatron({}), MemoryCategory::kGradients), 4 * kParams + 2 * kLargest);
}

// 2 P of buffer; at the step the shard of 4 P / 4 in fp32 beside it.
TEST(Megatron, ABf16BufferIsCastForTheStep) {
  const auto s = megatron(with({.grad_reduce_in_fp32 = false}));
  EXPECT_EQ(of(testing::resident(s), MemoryCategory::kGradients), 2 * kParams);
  EXPECT_EQ(peak_of(s, MemoryCategory::kGradients), 2 * kParams + kParams);
}

// 8.1e6 parameters are one bucket of 4e7. 24 layers of 2.6e6 are two: 63e6 over 4e7.
TEST(Megatron, OverlapCutsTheBufferIntoBuckets) {
  Setting setting = with({.overlap_grad_reduce = true});
  EXPECT_EQ(testing::count_ops(megatron(setting), OpKind::kCollective, "reduce gradient bucket"),
            1U);
  setting.spec.layers = 24;
  EXPECT_EQ(testing::count_ops(megatron(setting), OpKind::kCollective, "reduce gradient bucket"),
            2U);
  setting.options.megatron.overlap_grad_reduce = false;
  EXPECT_EQ(testing::count_ops(megatron(setting), OpKind::kCollective, "reduce gradient bucket"),
            1U);
}

TEST(Megatron, AccumulatesWithoutReducing) {
  Setting setting;
  setting.training.accumulation = 3;
  auto s = megatron(setting);
  EXPECT_EQ(testing::traffic(s)[CollectiveKind::kReduceScatter], 4 * kParams);
  EXPECT_EQ(testing::count_ops(s, OpKind::kCompute, "zero gradient buffer"), 1U);
}

TEST(Megatron, RefusesGatheringAheadWithoutReducingAhead) {
  EXPECT_EQ(testing::refusal("megatron", "megatron", {}), "");
  EXPECT_THAT(testing::refusal("megatron", "megatron", with({.overlap_param_gather = true})),
              ::testing::HasSubstr("overlap_grad_reduce"));
}

}  // namespace
}  // namespace heddle::parallel
