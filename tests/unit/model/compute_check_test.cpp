#include "sim/model/compute_check.h"

#include <gmock/gmock.h>

#include "tests/unit/model/specs.h"

namespace heddle::model {
namespace {

using ::testing::HasSubstr;

std::string decoder(const ComputeOptions& options) {
  return compute_problem(testing::mistral_7b(), options);
}

std::string image(const ComputeOptions& options) {
  return compute_problem(testing::vit_base(), options);
}

ComputeOptions lora(std::int64_t rank, std::vector<std::string> targets) {
  ComputeOptions options;
  options.lora = {rank, std::move(targets)};
  return options;
}

TEST(ComputeCheck, EveryOptionOfADecoderByItself) {
  EXPECT_EQ(decoder({}), "");
  for (const Attention a : {Attention::kEager, Attention::kGrouped}) {
    EXPECT_EQ(decoder({.attention = a}), "");
  }
  for (const Checkpointing c :
       {Checkpointing::kFull, Checkpointing::kSelective, Checkpointing::kEvery}) {
    EXPECT_EQ(decoder({.checkpointing = c}), "");
  }
  for (const LossHead l : {LossHead::kKept, LossHead::kDropped, LossHead::kCompiled,
                           LossHead::kChunked, LossHead::kFused}) {
    EXPECT_EQ(decoder({.loss = l}), "");
  }
  EXPECT_EQ(decoder({.compiled = true}), "");
  EXPECT_EQ(decoder({.fused_norm = true, .fused_mlp = true, .kv_cache = true}), "");
  EXPECT_EQ(decoder(lora(8, {"q_proj", "down_proj"})), "");
}

TEST(ComputeCheck, WhatIsNotMeasuredOfCompiledLayers) {
  EXPECT_THAT(decoder({.precision = Precision::kAutocast, .compiled = true}), HasSubstr("bf16"));
  EXPECT_THAT(decoder({.attention = Attention::kEager, .compiled = true}),
              HasSubstr("eager attention"));
  ComputeOptions adapted = lora(8, {"q_proj"});
  adapted.compiled = true;
  EXPECT_THAT(decoder(adapted), HasSubstr("LoRA"));
}

TEST(ComputeCheck, WhatSelectiveCheckpointingCannotMean) {
  const Checkpointing selective = Checkpointing::kSelective;
  EXPECT_THAT(decoder({.attention = Attention::kEager, .checkpointing = selective}),
              HasSubstr("fused attention"));
  EXPECT_THAT(decoder({.checkpointing = selective, .kv_cache = true}), HasSubstr("use_cache"));
  ComputeOptions adapted = lora(8, {"q_proj"});
  adapted.checkpointing = selective;
  EXPECT_THAT(decoder(adapted), HasSubstr("every second"));
}

TEST(ComputeCheck, LoraNeedsARankAndKnownTargets) {
  EXPECT_THAT(decoder(lora(-1, {"q_proj"})), HasSubstr("not negative"));
  EXPECT_THAT(decoder(lora(0, {"q_proj"})), HasSubstr("rank 0"));
  EXPECT_THAT(decoder(lora(8, {})), HasSubstr("no targets"));
  EXPECT_THAT(decoder(lora(8, {"q_proj", "q_proj"})), HasSubstr("twice"));
  EXPECT_THAT(decoder(lora(8, {"lm_head"})), HasSubstr("\"lm_head\" is no linear layer"));
}

TEST(ComputeCheck, Numbers) {
  EXPECT_THAT(decoder({.checkpointing = Checkpointing::kEvery, .checkpoint_every = 0}),
              HasSubstr("at least 1"));
  EXPECT_THAT(decoder({.loss = LossHead::kChunked, .loss_chunks = 0}), HasSubstr("from 1 to 1024"));
  EXPECT_THAT(decoder({.checkpoint_every = 3}), HasSubstr("checkpoint_every belongs to"));
  EXPECT_THAT(decoder({.loss_chunks = 4}), HasSubstr("loss_chunks belongs to"));
}

TEST(ComputeCheck, ReportsAllAtOnce) {
  const std::string all =
      decoder({.precision = Precision::kFloat32, .attention = Attention::kEager, .compiled = true});
  EXPECT_THAT(all, HasSubstr("bf16"));
  EXPECT_THAT(all, HasSubstr("eager attention"));
}

TEST(ComputeCheck, ImageModelsHavePrecisionAndCheckpointing) {
  EXPECT_EQ(image({.precision = Precision::kAutocast}), "");
  EXPECT_EQ(image({.checkpointing = Checkpointing::kFull}), "");
  EXPECT_THAT(image({.compiled = true}), HasSubstr("torch.compile"));
  EXPECT_THAT(image({.checkpointing = Checkpointing::kSelective}), HasSubstr("selective"));
  EXPECT_THAT(image({.attention = Attention::kGrouped}), HasSubstr("attention"));
  EXPECT_THAT(image({.loss = LossHead::kFused}), HasSubstr("loss"));
  EXPECT_THAT(image({.fused_norm = true}), HasSubstr("RMSNorm"));
  EXPECT_THAT(image({.kv_cache = true}), HasSubstr("cache"));
  EXPECT_THAT(image(lora(8, {"query"})), HasSubstr("LoRA"));
}

}  // namespace
}  // namespace heddle::model
