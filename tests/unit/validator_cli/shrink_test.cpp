#include "validator/cli/shrink.h"

#include <gtest/gtest.h>

namespace heddle::validator_cli {
namespace {

/// Mistral 7B's shape: 32 heads of 128, 8 of keys, MLP 14,336, 32 layers, 32,000 words.
run::Scenario mistral() {
  run::Scenario scenario;
  scenario.model.hidden = 4096;
  scenario.model.heads = 32;
  scenario.model.kv_heads = 8;
  scenario.model.head_dim = 128;
  scenario.model.layers = 32;
  scenario.model.ffn = 14'336;
  scenario.model.vocab = 32'000;
  return scenario;
}

TEST(ShrinkModel, ScalesEverythingButTheHead) {
  run::Scenario scenario = mistral();
  shrink_model(scenario, 0.25);
  EXPECT_EQ(scenario.model.heads, 8);
  EXPECT_EQ(scenario.model.kv_heads, 2);  // four queries to a key, as before
  EXPECT_EQ(scenario.model.hidden, 1024);
  EXPECT_EQ(scenario.model.head_dim, 128);
  EXPECT_EQ(scenario.model.layers, 8);
  EXPECT_EQ(scenario.model.ffn, 3584);
  EXPECT_EQ(scenario.model.vocab, 8000);
  EXPECT_NE(scenario.content_hash, mistral().content_hash);
}

TEST(ShrinkModel, KeepsAModelThatRuns) {
  run::Scenario scenario = mistral();
  shrink_model(scenario, 0.001);
  EXPECT_EQ(scenario.model.heads, 1);
  EXPECT_EQ(scenario.model.kv_heads, 1);
  EXPECT_EQ(scenario.model.layers, 2);
  EXPECT_EQ(scenario.model.ffn, 64);
  EXPECT_EQ(scenario.model.vocab, 64);
}

TEST(KeepRanks, TakesTheFirstOfAList) {
  run::FabricChoice fabric;
  fabric.gpus = {{0, 4}, {0, 5}, {0, 6}};
  EXPECT_EQ(keep_ranks(fabric, 2), "");
  EXPECT_EQ(fabric.gpus, (std::vector<run::GpuPlace>{{0, 4}, {0, 5}}));
  EXPECT_EQ(keep_ranks(fabric, 3), "--ranks 3: fabric \"\" has 2 GPUs");
  fabric.gpus.clear();
  EXPECT_EQ(keep_ranks(fabric, 2), "");
  EXPECT_EQ(fabric.gpus.size(), 2U);
}

}  // namespace
}  // namespace heddle::validator_cli
