// DeepSpeed's memory, byte by byte, on models of bare weights. k = 1024 elements.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/schedule/schedule_check.h"
#include "toy_training.h"

namespace heddle::parallel::test {
namespace {

using schedule::CollectiveKind;
using schedule::MemoryCategory;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t k = 1024;

/// Four tensors of 16k elements, one for each of four ranks; a bucket holds two of them.
Toy four_tensors() {
  Toy toy;
  toy.graph = bare_weights({16 * k, 16 * k, 16 * k, 16 * k});
  toy.options.deepspeed.reduce_bucket_size = 32 * k;
  toy.options.deepspeed.param_persistence_threshold = 0;
  toy.options.deepspeed.prefetch_bucket_size = 1;
  toy.options.deepspeed.max_reuse_distance = 0;
  toy.options.deepspeed.max_live_parameters = 1;
  toy.training.keep_outputs = false;
  return toy;
}

Walk walk(const Toy& toy, std::string_view strategy) {
  const schedule::Schedule schedule = toy.plan(strategy);
  EXPECT_THAT(schedule::check_schedule(schedule), IsEmpty());
  return Walk(schedule);
}

TEST(ZeroOneTwo, ABucketOfSeveralRanksIsFlattened) {
  // Bucket 32k x 2 B; two tensors of two ranks: as much again.
  const Walk w = walk(four_tensors(), "zero2");
  EXPECT_EQ(w.peak(MemoryCategory::kCommunication), 2 * 64 * k);
  EXPECT_THAT(w.made("flat bucket"), ElementsAre(64 * k, 64 * k));
}

TEST(ZeroOneTwo, ABucketOfOneRankIsReducedInPlace) {
  Toy toy = four_tensors();
  toy.ranks = 2;  // tensors 0 and 1 are rank 0's, 2 and 3 rank 1's: buckets of one rank each
  EXPECT_THAT(walk(toy, "zero2").made("flat bucket"), IsEmpty());
  toy.options.deepspeed.round_robin_gradients = true;  // 0 and 2 rank 0's, 1 and 3 rank 1's
  EXPECT_THAT(walk(toy, "zero2").made("flat bucket"), SizeIs(2));
}

TEST(ZeroOneTwo, OverlapTakesASecondBucket) {
  Toy toy = four_tensors();
  toy.ranks = 2;
  EXPECT_EQ(walk(toy, "zero2").peak(MemoryCategory::kCommunication), 64 * k);
  toy.options.deepspeed.overlap_comm = true;
  EXPECT_EQ(walk(toy, "zero2").peak(MemoryCategory::kCommunication), 2 * 64 * k);
  EXPECT_EQ(walk(toy, "zero1").peak(MemoryCategory::kCommunication), 2 * 64 * k);
}

TEST(ZeroOneTwo, StageOneHoldsAllGradientsUnlessItOverlaps) {
  Toy toy = four_tensors();
  // All four, 128k B, and the own partition, 32k B, once the first bucket has taken two: 4 x 32k.
  EXPECT_EQ(walk(toy, "zero1").peak(MemoryCategory::kGradients), 128 * k);
  // Partition 32k B in bf16, its fp32 copy 64k B beside it in the step, and the gradient at hand.
  EXPECT_EQ(walk(toy, "zero2").peak(MemoryCategory::kGradients), 96 * k);
  toy.options.deepspeed.overlap_comm = true;  // reduced as they appear, as in stage 2
  EXPECT_EQ(walk(toy, "zero1").peak(MemoryCategory::kGradients), 96 * k);
}

TEST(ZeroOneTwo, WithoutContiguousGradientsOnlyTheFlatCopyIsABuffer) {
  Toy toy = four_tensors();
  toy.options.deepspeed.contiguous_gradients = false;
  const Walk w = walk(toy, "zero2");
  EXPECT_THAT(w.made("reduce bucket"), IsEmpty());
  EXPECT_THAT(w.made("gradient partition"), IsEmpty());  // own gradients stay as they are
  EXPECT_EQ(w.peak(MemoryCategory::kCommunication), 64 * k);
}

TEST(ZeroOneTwo, AccumulationKeepsOnePartitionAndMakesAnother) {
  Toy toy = four_tensors();
  toy.training.accumulation = 3;
  const Walk w = walk(toy, "zero2");
  EXPECT_THAT(w.made("gradient partition"), ElementsAre(32 * k, 32 * k, 32 * k));
  // In the second and third backward: both partitions and the gradient at hand; in the step 32
  // + 64.
  EXPECT_EQ(w.peak(MemoryCategory::kGradients), 96 * k);
  EXPECT_THAT(w.collectives(CollectiveKind::kAllReduce), SizeIs(6));  // two buckets each time
}

TEST(ZeroOneTwo, StageOneAccumulatesInPlaceAndReducesOnce) {
  Toy toy = four_tensors();
  toy.training.accumulation = 3;
  const Walk w = walk(toy, "zero1");
  EXPECT_EQ(w.peak(MemoryCategory::kGradients), (128 + 32) * k);  // all, and the one to be added
  EXPECT_THAT(w.collectives(CollectiveKind::kAllReduce), SizeIs(2));
  EXPECT_THAT(w.made("reduce bucket"), SizeIs(3));  // backward() makes it whether it reduces or not
}

TEST(ZeroOneTwo, AGradientLargerThanTheBucketIsReducedWhereItIs) {
  Toy toy = four_tensors();
  toy.options.deepspeed.reduce_bucket_size = 8 * k;
  const Walk w = walk(toy, "zero2");
  EXPECT_THAT(w.collectives(CollectiveKind::kAllReduce),
              ElementsAre(32 * k, 32 * k, 32 * k, 32 * k));
  // The next gradient has appeared when one is reduced: two of them beside the partition.
  EXPECT_EQ(w.peak(MemoryCategory::kGradients), 96 * k);
}

TEST(ZeroOneTwo, MomentsAppearWithTheFirstStep) {
  Toy toy = four_tensors();
  toy.training.steps = 1;
  const Walk w = walk(toy, "zero2");
  EXPECT_FALSE(w.made_at_setup("exp_avg"));
  EXPECT_THAT(w.made("exp_avg"), ElementsAre(64 * k));
}

TEST(ZeroOneTwo, FrozenTensorsHaveNeitherGradientNorState) {
  Toy toy = four_tensors();
  for (std::size_t m = 0; m < 3; ++m) {
    toy.graph.modules[m].params[0].trainable = false;
    toy.graph.modules[m].backward[0].gradients.clear();
  }
  const Walk w = walk(toy, "zero2");
  EXPECT_EQ(w.after_optimizer(MemoryCategory::kParameters), 128 * k);
  EXPECT_EQ(w.after_optimizer(MemoryCategory::kOptimizer), 12 * 16 * k / 4);
  EXPECT_THAT(w.collectives(CollectiveKind::kAllGather), ElementsAre(32 * k));
}

TEST(ZeroOneTwo, OffloadLeavesStagingAndTheWeightsOnTheirWayBack) {
  Toy toy = four_tensors();
  toy.training.offload.optimizer = true;
  const Walk w = walk(toy, "zero2");
  EXPECT_EQ(w.peak(MemoryCategory::kOptimizer), 0);
  EXPECT_EQ(w.after_optimizer(MemoryCategory::kCommunication), 32 * k);  // the largest tensor
  EXPECT_THAT(w.made("gradient partition"), IsEmpty());
  EXPECT_THAT(w.made("fp32 weights from the host"), ElementsAre(64 * k));
  EXPECT_THAT(w.made("fp64 gradient"), ElementsAre(128 * k, 128 * k));  // one tensor at a time
}

TEST(ZeroZero, KeepsFp32GradientsWholeAndShardsTheOptimizer) {
  const Walk w = walk(four_tensors(), "zero0");
  EXPECT_EQ(w.after_optimizer(MemoryCategory::kParameters), 2 * 64 * k);
  EXPECT_EQ(w.after_optimizer(MemoryCategory::kGradients), (2 + 4) * 64 * k);
  EXPECT_EQ(w.after_optimizer(MemoryCategory::kOptimizer), 12 * 64 * k / 4);
  EXPECT_EQ(w.peak(MemoryCategory::kCommunication), 2 * 64 * k);  // the bf16 copy to reduce
  EXPECT_THAT(w.collectives(CollectiveKind::kAllReduce), ElementsAre(128 * k));
}

TEST(ZeroThree, SubGroupsCloseWithTheTensorThatFillsThem) {
  Toy toy = four_tensors();
  toy.options.deepspeed.sub_group_size = 5 * k;  // shards of 4k: two of them make a group
  EXPECT_THAT(walk(toy, "zero3").made("flat gradient copy"), ElementsAre(16 * k, 16 * k));
  toy.options.deepspeed.sub_group_size = 4 * k;
  EXPECT_THAT(walk(toy, "zero3").made("flat gradient copy"), SizeIs(4));
}

TEST(ZeroThree, OneGradientThatDividesEvenlyIsNotConcatenated) {
  Toy toy = four_tensors();
  EXPECT_THAT(walk(toy, "zero3").made("concatenated bucket"), ElementsAre(64 * k, 64 * k));
  toy.options.deepspeed.reduce_bucket_size = 16 * k;
  EXPECT_THAT(walk(toy, "zero3").made("concatenated bucket"), IsEmpty());
  toy.ranks = 3;  // 16k is no multiple of 3
  EXPECT_THAT(walk(toy, "zero3").made("concatenated bucket"), SizeIs(4));
}

TEST(ZeroThree, AccumulationTakesNoMoreMemory) {
  Toy toy = four_tensors();
  const Walk once = walk(toy, "zero3");
  toy.training.accumulation = 2;
  const Walk twice = walk(toy, "zero3");
  EXPECT_EQ(twice.peak(), once.peak());
  EXPECT_THAT(twice.collectives(CollectiveKind::kReduceScatter), SizeIs(4));
}

TEST(ZeroThree, OffloadLeavesTheBucketAndWhatIsGathered) {
  Toy toy = four_tensors();
  toy.training.offload = {.optimizer = true, .parameters = true};
  const Walk w = walk(toy, "zero3");
  EXPECT_EQ(w.after_optimizer(MemoryCategory::kParameters), 0);
  EXPECT_EQ(w.after_optimizer(MemoryCategory::kGradients), 0);
  EXPECT_EQ(w.after_optimizer(MemoryCategory::kOptimizer), 0);
  EXPECT_EQ(w.after_optimizer(MemoryCategory::kCommunication), 64 * k);
  EXPECT_THAT(w.made("weight shard from the host"), SizeIs(8));  // forward and backward
}

TEST(ZeroThree, KeepsWhatIsUnderThePersistenceThreshold) {
  Toy toy = four_tensors();
  toy.options.deepspeed.param_persistence_threshold = 16 * k;  // included: numel <= threshold
  const Walk w = walk(toy, "zero3");
  EXPECT_THAT(w.made("gather buffer"), IsEmpty());
  EXPECT_EQ(w.after_optimizer(MemoryCategory::kParameters), (128 + 32) * k);
}

TEST(DeepSpeed, RefusesOptionsThatAStageIgnores) {
  Toy toy = four_tensors();
  toy.options.deepspeed = {};
  const auto refusal = [&](std::string_view strategy) {
    return find_strategy(strategy)
        ->make("deepspeed")
        ->refusal({toy.graph, toy.training, toy.options, {}, toy.ranks});
  };
  toy.options.deepspeed.overlap_comm = true;
  EXPECT_EQ(refusal("zero1"), "");
  EXPECT_EQ(refusal("zero3"), "overlap_comm has no effect in stage 3");
  toy.options.deepspeed = {};
  toy.options.deepspeed.sub_group_size = 7;
  EXPECT_EQ(refusal("zero3"), "");
  EXPECT_EQ(refusal("zero2"), "sub_group_size has no effect in stage 2");
}

TEST(DeepSpeed, StepsNothingButAdamWOnTheHost) {
  Toy toy = four_tensors();
  toy.options.deepspeed = {};
  toy.training.offload.optimizer = true;
  toy.training.optimizer.kind = OptimizerKind::kSgd;
  EXPECT_NE(find_strategy("zero2")
                ->make("deepspeed")
                ->refusal({toy.graph, toy.training, toy.options, {}, toy.ranks}),
            "");
}

TEST(DeepSpeed, RefusesWhatItDoesNotModel) {
  Toy toy = four_tensors();
  toy.options.deepspeed = {};
  const auto refusal = [&](std::string_view strategy) {
    const StrategyEntry* entry = find_strategy(strategy);
    return entry->make("deepspeed")->refusal({toy.graph, toy.training, toy.options, {}, toy.ranks});
  };
  EXPECT_EQ(refusal("zero2"), "");
  toy.training.offload.parameters = true;
  EXPECT_EQ(refusal("zero3"), "");
  EXPECT_EQ(refusal("zero2"), "not modelled with DeepSpeed stage 2: offload.parameters");
  toy.graph.compute.precision = model::Precision::kAutocast;
  EXPECT_THAT(refusal("zero3"), ::testing::HasSubstr("16-bit weights only"));
}

}  // namespace
}  // namespace heddle::parallel::test
