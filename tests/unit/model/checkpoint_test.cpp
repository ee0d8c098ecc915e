// What a checkpointed layer keeps, and what its backward makes again. Symbols as in
// layer_options_test.cpp.
#include <gtest/gtest.h>

#include "tests/unit/model/specs.h"
#include "tests/unit/model/walk.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kTokens = 1024;
constexpr std::int64_t kHidden = 4096;
constexpr std::int64_t kLinearWeights = 218'112'000 - 2 * kHidden;

ModelGraph graph(const ComputeOptions& options) {
  return build_model_graph(testing::mistral_7b(), {1, kTokens}, options);
}

ModelGraph full(Precision precision) {
  return graph({.precision = precision, .checkpointing = Checkpointing::kFull});
}

// The layer's input: 2 h in bf16, 4 h where the stream is fp32.
TEST(Checkpointing, FullKeepsTheInput) {
  EXPECT_EQ(testing::Walk(full(Precision::kBFloat16).modules[1]).after_forward(),
            kTokens * 2 * kHidden);
  EXPECT_EQ(testing::Walk(full(Precision::kFloat32).modules[1]).after_forward(),
            kTokens * 4 * kHidden);
}

// Autocast's cache holds the casts of the weights until forward ends.
TEST(Checkpointing, AutocastHoldsItsCastsThroughForward) {
  const auto g = full(Precision::kAutocast);
  const testing::Walk walk(g.modules[1]);
  EXPECT_EQ(walk.after_forward(), kTokens * 4 * kHidden + 2 * kLinearWeights);
  EXPECT_EQ(walk.before_backward(), kTokens * 4 * kHidden);
}

// After forward is repeated the layer holds what it holds without checkpointing, 54 h + 648, and
// its input, 2 h; in fp32 the input is among what the first norm saves. The gradient of its output
// waits.
TEST(Checkpointing, RecomputationHoldsOneLayer) {
  const auto bf16 = full(Precision::kBFloat16);
  const testing::Walk walk(bf16.modules[1]);
  EXPECT_EQ(walk.saved_at("down_proj weight grad"), kTokens * (56 * kHidden + 648));
  EXPECT_EQ(walk.alive_at("down_proj"),
            kTokens * (56 * kHidden + 648) + kTokens * (2 + 2 + 2) * kHidden);
  const auto fp32 = full(Precision::kFloat32);
  EXPECT_EQ(testing::Walk(fp32.modules[1]).saved_at("down_proj weight grad"),
            kTokens * (100 * kHidden + 1024 + 136));
}

// Without gradients forward frees as it goes. At the down projection of forward: product 2 f = 7 h,
// the layer's input 2 h, the stream between 2 h and the output 2 h.
TEST(Checkpointing, ForwardFreesAfterTheLastUse) {
  const auto g = full(Precision::kBFloat16);
  Module forward_only = g.modules[1];
  forward_only.backward.clear();
  EXPECT_EQ(testing::Walk(forward_only).alive_at("down_proj"), kTokens * 13 * kHidden);
}

// q's projection 2 a, v's 2 kv = h/2, gate 2 f = 7 h, down's output 2 h, attention's output 2 a,
// the input 2 h, log-sum-exp 128.
TEST(Checkpointing, SelectiveKeepsEverySecondProduct) {
  const auto g = graph({.checkpointing = Checkpointing::kSelective});
  EXPECT_EQ(testing::Walk(g.modules[1]).after_forward(), kTokens * (31 * kHidden / 2 + 128));
}

// Llama 2 7B without grouped heads: v's projection is what attention keeps, 2 a; f = 11008.
TEST(Checkpointing, SelectiveWithoutGroupedHeads) {
  auto spec = testing::mistral_7b();
  spec.kv_heads = 32;
  spec.ffn = 11008;
  const auto g = build_model_graph(spec, {1, kTokens},
                                   ComputeOptions{.checkpointing = Checkpointing::kSelective});
  EXPECT_EQ(testing::Walk(g.modules[1]).after_forward(),
            kTokens * (10 * kHidden + 2 * 11008 + 128));
}

std::vector<std::string> recomputed_products(const Module& m) {
  std::vector<std::string> names;
  for (const Row& row : m.backward) {
    if (row.kernel.kind == schedule::KernelKind::kGemm && row.name.find(' ') == std::string::npos) {
      names.push_back(row.name);
    }
  }
  return names;
}

TEST(Checkpointing, RecomputesWhatItDoesNotKeep) {
  using Names = std::vector<std::string>;
  const auto all = full(Precision::kBFloat16);
  EXPECT_EQ(recomputed_products(all.modules[1]),
            (Names{"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}));
  const auto some = graph({.checkpointing = Checkpointing::kSelective});
  EXPECT_EQ(recomputed_products(some.modules[1]), (Names{"k_proj", "o_proj", "up_proj"}));
}

// Backward's operators are those of forward and backward without checkpointing; model FLOPs do not
// count what is repeated.
TEST(Checkpointing, CostsOneMoreForward) {
  const auto plain = graph({});
  const auto g = full(Precision::kBFloat16);
  EXPECT_EQ(testing::dispatches(g.modules[1].forward), 114);
  EXPECT_EQ(testing::dispatches(g.modules[1].backward), 114 + 165);
  EXPECT_EQ(g.flops_per_step.value, plain.flops_per_step.value);
}

TEST(Checkpointing, EverySecondLayer) {
  const auto g = graph({.checkpointing = Checkpointing::kEvery, .checkpoint_every = 2});
  for (std::size_t layer = 0; layer < 4; ++layer) {
    EXPECT_EQ(testing::Walk(g.modules[1 + layer]).after_forward(),
              layer % 2 == 0 ? kTokens * 2 * kHidden : kTokens * (54 * kHidden + 648));
  }
}

// Compiled: the first norm keeps the input anyway, so the repeated layer holds 37 h + 136.
TEST(Checkpointing, CompiledLayer) {
  const auto g = graph({.checkpointing = Checkpointing::kFull, .compiled = true});
  const testing::Walk walk(g.modules[1]);
  EXPECT_EQ(walk.after_forward(), kTokens * 2 * kHidden);
  EXPECT_EQ(walk.saved_at("down_proj weight grad"), kTokens * (37 * kHidden + 136));
}

// 4 kv = h more: the cache is all that forward keeps besides the input, with and without grouping.
TEST(Checkpointing, CacheLeftOn) {
  for (const Attention attention : {Attention::kSdpa, Attention::kGrouped}) {
    const auto g =
        graph({.attention = attention, .checkpointing = Checkpointing::kFull, .kv_cache = true});
    const testing::Walk walk(g.modules[1]);
    EXPECT_EQ(walk.after_forward(), kTokens * 3 * kHidden);
    EXPECT_EQ(walk.before_backward(), kTokens * 2 * kHidden);
  }
}

// An image model's stream is fp32 under autocast, and the first norm's input: 4 h; 12 h^2 weights.
TEST(Checkpointing, ImageModel) {
  const auto g = build_model_graph(
      testing::vit_large(), {8, 0},
      ComputeOptions{.precision = Precision::kAutocast, .checkpointing = Checkpointing::kFull});
  const testing::Walk walk(g.modules[1]);
  EXPECT_EQ(walk.before_backward(), std::int64_t{8} * 197 * 4 * 1024);
  EXPECT_EQ(walk.saved_at("fc2 input grad"),
            std::int64_t{8} * 197 * (40 * 1024 + 80) + 2 * 12 * 1024 * 1024);
}

}  // namespace
}  // namespace heddle::model
