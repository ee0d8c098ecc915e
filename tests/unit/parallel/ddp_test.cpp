#include <gtest/gtest.h>

#include "tests/unit/parallel/plans.h"

namespace heddle::parallel {
namespace {

using schedule::MemoryCategory;
using schedule::OpKind;
using testing::kLargest;
using testing::kParams;
using testing::kTable;
using testing::of;
using testing::peak_of;
using testing::Setting;

schedule::Schedule ddp(const Setting& setting) {
  return testing::plan("ddp", "pytorch-ddp", setting);
}

TEST(Ddp, HoldsBucketsBesideGradients) {
  const auto state = testing::resident(ddp({}));
  EXPECT_EQ(of(state, MemoryCategory::kParameters), 2 * kParams);
  EXPECT_EQ(of(state, MemoryCategory::kGradients), 2 * kParams);
  EXPECT_EQ(of(state, MemoryCategory::kCommunication), 2 * kParams);
  EXPECT_EQ(of(state, MemoryCategory::kOptimizer), 4 * kParams);
}

// memory_model: 4 + 0 + 8 + 4 bytes per fp32 parameter with views, 20 without.
TEST(Ddp, ViewsKeepNoGradientOfTheirOwn) {
  Setting setting;
  setting.precision = model::Precision::kFloat32;
  EXPECT_EQ(of(testing::resident(ddp(setting)), MemoryCategory::kGradients), 4 * kParams);
  setting.options.ddp.gradient_as_bucket_view = true;
  const auto s = ddp(setting);
  EXPECT_EQ(of(testing::resident(s), MemoryCategory::kGradients), 0);
  EXPECT_EQ(of(testing::resident(s), MemoryCategory::kCommunication), 4 * kParams);
  EXPECT_EQ(testing::count_ops(s, OpKind::kCompute, "copy out of bucket"), 0U);
  // Until it is copied in, a gradient has its own memory: the largest row makes one matrix.
  EXPECT_EQ(peak_of(s, MemoryCategory::kGradients), 4 * kLargest);
}

// bf16, 1 MiB first: the head (256 KiB) and the norm (1 KiB), then down_proj (1 MiB) closes it.
// With a cap of 1 MiB every bucket closes at a matrix of that size; with 25 MiB the rest of
// 15.3 MiB is one bucket.
TEST(Ddp, BucketsFollowTheCap) {
  Setting setting;
  EXPECT_EQ(testing::count_ops(ddp(setting), OpKind::kCollective, "all-reduce bucket"), 2U);
  setting.options.ddp.bucket_cap_mb = 1;
  // A layer in backward order: down, up, gate (1 MiB each), norm, o, v, k, q (512 KiB each), norm.
  // First layer: [head norm down] [up] [gate] [norm o v] [k q] then [norm down] ... and at the end
  // the last norm with the embedding's 256 KiB.
  EXPECT_EQ(testing::count_ops(ddp(setting), OpKind::kCollective, "all-reduce bucket"),
            3U * 5U + 1U);
}

TEST(Ddp, FirstStepReducesOneBucketAfterBackward) {
  Setting setting;
  setting.training.steps = 1;
  EXPECT_EQ(testing::count_ops(ddp(setting), OpKind::kCollective, "all-reduce bucket"), 1U);
}

// In the first step of a static graph all gradients exist before any is copied.
TEST(Ddp, StaticGraphDefersTheFirstStep) {
  Setting setting;
  setting.training.steps = 1;
  setting.options.ddp.gradient_as_bucket_view = true;
  EXPECT_EQ(peak_of(ddp(setting), MemoryCategory::kGradients), 2 * kLargest);
  setting.options.ddp.static_graph = true;
  EXPECT_EQ(peak_of(ddp(setting), MemoryCategory::kGradients), 2 * kParams);
}

// no_sync: two micro-batches, one reduction; the second's gradient is a temporary beside the sum.
TEST(Ddp, AccumulatesInPlaceAndReducesOnce) {
  Setting setting;
  setting.training.accumulation = 2;
  const auto s = ddp(setting);
  EXPECT_EQ(peak_of(s, MemoryCategory::kGradients), 2 * kParams + 2 * kLargest);
  EXPECT_EQ(testing::count_ops(s, OpKind::kCollective, "all-reduce bucket"), 2U);
  EXPECT_EQ(testing::count_ops(s, OpKind::kCompute, "accumulate gradient"),
            testing::count_ops(s, OpKind::kCompute, "copy into bucket"));
}

// zero_grad(set_to_none=False): gradients are there in forward, and each new one is added.
TEST(Ddp, KeptGradientsLiveThroughForward) {
  Setting setting;
  setting.training.zero_to_none = false;
  const auto s = ddp(setting);
  const std::size_t begin = testing::last_mark(s, schedule::Mark::Kind::kStepBegin);
  EXPECT_EQ(of(testing::live_after(s, begin), MemoryCategory::kGradients), 2 * kParams);
  EXPECT_EQ(peak_of(s, MemoryCategory::kGradients), 2 * kParams + 2 * kLargest);
}

TEST(Ddp, FrozenTensorsGetNeitherGradientNorBucketNorState) {
  Setting setting;
  setting.only_queries_train = true;
  const auto state = testing::resident(ddp(setting));
  constexpr std::int64_t kTrained = 3 * 512 * 512;  // q_proj of three layers
  EXPECT_EQ(setting.graph().trainable_count(), kTrained);
  EXPECT_EQ(of(state, MemoryCategory::kParameters), 2 * kParams);
  EXPECT_EQ(of(state, MemoryCategory::kGradients), 2 * kTrained);
  EXPECT_EQ(of(state, MemoryCategory::kCommunication), 2 * kTrained);
  EXPECT_EQ(of(state, MemoryCategory::kOptimizer), 4 * kTrained);
}

schedule::Schedule single(Setting setting) {
  setting.ranks = 1;
  return testing::plan("single", "pytorch", setting);
}

TEST(Single, HasNoBucketsAndOneRank) {
  EXPECT_EQ(of(testing::resident(single({})), MemoryCategory::kCommunication), 0);
  EXPECT_NE(testing::refusal("single", "pytorch", {}), "");  // four ranks
}

TEST(Single, OptimizerInBackwardHoldsOneRowsGradients) {
  Setting setting;
  setting.training.optimizer.in_backward = true;
  const auto s = single(setting);
  EXPECT_EQ(peak_of(s, MemoryCategory::kGradients), 2 * kLargest);
  EXPECT_EQ(of(testing::resident(s), MemoryCategory::kGradients), 0);
  EXPECT_EQ(of(testing::resident(s), MemoryCategory::kOptimizer), 4 * kParams);
  // Its foreach temporary is one tensor's.
  EXPECT_LT(peak_of(s, MemoryCategory::kTemporary), 2 * kParams);
}

// The head's gradient waits for the embedding's share: it is alive beside each layer's largest.
TEST(Single, ATiedTableIsSteppedLast) {
  Setting setting;
  setting.spec.tied_embeddings = true;
  setting.training.optimizer.in_backward = true;
  EXPECT_EQ(peak_of(single(setting), MemoryCategory::kGradients), 2 * kTable + 2 * kLargest);
}

TEST(Single, ClippingInBackwardIsRefused) {
  Setting setting;
  setting.ranks = 1;
  setting.training.optimizer.in_backward = true;
  EXPECT_EQ(testing::refusal("single", "pytorch", setting), "");
  EXPECT_NE(testing::refusal("ddp", "pytorch-ddp", setting), "");
  setting.training.gradient_clipping = true;
  EXPECT_NE(testing::refusal("single", "pytorch", setting), "");
}

}  // namespace
}  // namespace heddle::parallel
