// Bytes that one decoder layer keeps for backward, by option. Per token, h = a = 4096, kv = h/4,
// f = 3.5 h, 32 heads; statistics: log-sum-exp 4 x 32 = 128, 1/rms 2 x 4 = 8, cos and sin once per
// position 2 x 2 x 128 = 512 in bf16.
#include <gtest/gtest.h>

#include "tests/unit/model/specs.h"
#include "tests/unit/model/walk.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kTokens = 1024;
constexpr std::int64_t kHidden = 4096;
constexpr std::int64_t kLinearWeights = 218'112'000 - 2 * kHidden;

/// After the layer's forward; `index` in the stack.
std::int64_t kept(const ComputeOptions& options, std::size_t index = 0) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, kTokens}, options);
  return testing::Walk(g.modules[1 + index]).after_forward();
}

// Norms 2 x (4 + 2 + 2) h = 16 h, q 2 a = 2 h, k and v as they are 4 kv = 1 h, attention output 2 h
// (token-major already), MLP 8 f = 28 h: 49 h.
TEST(LayerOptions, GroupedAttention) {
  EXPECT_EQ(kept({.attention = Attention::kGrouped}), kTokens * (49 * kHidden + 648));
}

// 16 h, q, k, v 6 h, the output's token-major copy 2 h, MLP 28 h: 52 h. Each of the 32 x 1024
// scores of a token: the softmax's result 4 and its rounding 2. No log-sum-exp.
TEST(LayerOptions, EagerAttention) {
  EXPECT_EQ(kept({.attention = Attention::kEager}),
            kTokens * (52 * kHidden + 32 * kTokens * 6 + 520));
}

// Norms 16 h, casts 5 x 2 h, then as above 6 + 2 + 28 h: 62 h; scores 4 + 2.
TEST(LayerOptions, EagerAttentionUnderAutocast) {
  EXPECT_EQ(kept({.precision = Precision::kAutocast, .attention = Attention::kEager}),
            kTokens * (62 * kHidden + 32 * kTokens * 6 + 520) + 2 * kLinearWeights);
}

// Norms 24 h, q, k, v 12 h, copy 4 h, MLP 56 h: 96 h; scores 4; cos and sin 1024, 1/rms 8.
TEST(LayerOptions, EagerAttentionInFloat32) {
  EXPECT_EQ(kept({.precision = Precision::kFloat32, .attention = Attention::kEager}),
            kTokens * (96 * kHidden + 32 * kTokens * 4 + 1032));
}

// Norms' inputs and outputs 8 h, q, k, v and attention output 8 a, gate, up, product 6 f = 21 h:
// 37 h; log-sum-exp and 1/rms.
TEST(LayerOptions, Compiled) {
  EXPECT_EQ(kept({.compiled = true}), kTokens * (37 * kHidden + 136));
}

// 8 h, q 2 h, k and v 1 h, output 2 h, 21 h: 34 h.
TEST(LayerOptions, CompiledWithGroupedAttention) {
  EXPECT_EQ(kept({.attention = Attention::kGrouped, .compiled = true}),
            kTokens * (34 * kHidden + 136));
}

// Norms without the outputs that linears keep in fp8 2 x (4 + 2) h, q 2 h, k and v 1 h, output 2 h,
// gate, silu, up 21 h: 38 h. Inputs in fp8: q, k, v, o, gate and up h each, down 3.5 h: 9.5 h.
// Every weight twice in fp8.
TEST(LayerOptions, Float8) {
  EXPECT_EQ(kept({.fp8 = Float8::kDelayed, .attention = Attention::kGrouped}),
            kTokens * (47 * kHidden + kHidden / 2 + 648) + 2 * kLinearWeights);
}

// Blocks of 32 values have a scale of one byte in each direction.
TEST(LayerOptions, Float8InBlocks) {
  const std::int64_t inputs = kTokens * 19 * kHidden / 2;
  EXPECT_EQ(kept({.fp8 = Float8::kBlock, .attention = Attention::kGrouped}) -
                kept({.fp8 = Float8::kCurrent, .attention = Attention::kGrouped}),
            inputs / 32 + 2 * kLinearWeights / 32);
}

// What a fused norm writes in fp8 q, k and v share, gate and up too: 3 h less; and it keeps its
// input alone, 2 h instead of 4 + 2.
TEST(LayerOptions, Float8AfterFusedNorms) {
  const ComputeOptions plain{.fp8 = Float8::kDelayed, .attention = Attention::kGrouped};
  ComputeOptions fused = plain;
  fused.fused_norm = true;
  EXPECT_EQ(kept(plain) - kept(fused), kTokens * (3 + 2 * (4 + 2 - 2)) * kHidden);
}

// A graph issues its kernels and little else.
TEST(LayerOptions, CompiledIssuesFewOperators) {
  const auto eager = build_model_graph(testing::mistral_7b(), {1, 128}, ComputeOptions{});
  const auto graph =
      build_model_graph(testing::mistral_7b(), {1, 128}, ComputeOptions{.compiled = true});
  // Kernels of forward: norm 1, q, k, v 3, rotary 3, attention 1, output 1, sum 1, norm 1, gate and
  // up 2, product 1, down 1, sum 1 = 16; the entry 10.
  EXPECT_EQ(testing::dispatches(graph.modules[1].forward), 26);
  EXPECT_EQ(testing::dispatches(eager.modules[1].forward), 114);
  EXPECT_LT(testing::dispatches(graph.modules[1].backward), 60);
}

// Fused norm: 4 h each (input and output) instead of 8 h, so 54 h - 8 h; fused SwiGLU: gate and up,
// 4 f instead of 8 f = 14 h less.
TEST(LayerOptions, FusedKernels) {
  EXPECT_EQ(kept({.fused_norm = true}), kTokens * (46 * kHidden + 648));
  EXPECT_EQ(kept({.fused_mlp = true}), kTokens * (40 * kHidden + 648));
  EXPECT_EQ(kept({.fused_norm = true, .fused_mlp = true}), kTokens * (32 * kHidden + 648));
}

// Keys and values before they are repeated, 4 kv = 1 h more; gone when forward ends. Grouped
// attention keeps the very same tensors.
TEST(LayerOptions, CacheLeftOn) {
  EXPECT_EQ(kept({.kv_cache = true}), kTokens * (55 * kHidden + 648));
  EXPECT_EQ(kept({.attention = Attention::kGrouped, .kv_cache = true}),
            kTokens * (49 * kHidden + 648));
  const auto g =
      build_model_graph(testing::mistral_7b(), {1, kTokens}, ComputeOptions{.kv_cache = true});
  EXPECT_EQ(testing::Walk(g.modules[1]).before_backward(), kTokens * (54 * kHidden + 648));
}

// The mask of eager attention: s x s in the stream's type, once for all layers.
TEST(LayerOptions, EagerMask) {
  const ComputeOptions options{.attention = Attention::kEager};
  const auto g = build_model_graph(testing::mistral_7b(), {2, 512}, options);
  EXPECT_EQ(testing::Walk(g.modules[0]).after_forward(), 2 * 512 * 512 * 2);
  EXPECT_EQ(testing::Walk(g.modules[0]).before_backward(), 0);
}

// Scores of a layer at once: softmax's backward holds its result, its gradient and its input's, 4
// bytes each, besides what else is alive: the residual's gradient and dV (2 h each), and what the
// layer still keeps: all but the probabilities, the value and the copy, which are done with.
TEST(LayerOptions, EagerAttentionBackward) {
  const ComputeOptions options{.attention = Attention::kEager};
  const auto g = build_model_graph(testing::mistral_7b(), {1, kTokens}, options);
  const std::int64_t scores = 32 * kTokens * kTokens;
  // Norm 8 h, q and k 4 h, cos and sin 512, 1/rms 4: MLP and second norm are through.
  EXPECT_EQ(testing::Walk(g.modules[1]).alive_at("softmax backward"),
            12 * scores + kTokens * ((8 + 4 + 4) * kHidden + 516));
}

}  // namespace
}  // namespace heddle::model
