#include <gtest/gtest.h>

#include "tests/unit/model/specs.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kTokens = 1024;
constexpr std::int64_t kHidden = 4096;

// Per token: norms 2 x (4 h + 2 h + 2 h) = 16 h, q, k, v 6 h, attention output and its token-major
// copy 4 h, MLP 8 f = 28 h: 54 h. Statistics besides: log-sum-exp 4 x 32 heads, 1/rms 2 x 4, and
// cos, sin once per position 2 x 2 x 128: 648 bytes.
TEST(Activations, MistralLayerInBFloat16) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, kTokens}, Precision::kBFloat16);
  EXPECT_EQ(testing::saved_bytes(g.modules[1]), kTokens * (54 * kHidden + 648));
}

// Norm inputs and normalized tensors in fp32, 2 x (4 h + 4 h); one bf16 cast for each of q, k, v,
// gate, up, 5 x 2 h; the rest as above: 6 h + 4 h + 28 h. 64 h, and 2 bytes per linear weight.
TEST(Activations, MistralLayerUnderAutocast) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, kTokens}, Precision::kAutocast);
  const std::int64_t linear_weights = 218'112'000 - 2 * kHidden;
  EXPECT_EQ(testing::saved_bytes(g.modules[1]),
            kTokens * (64 * kHidden + 648) + 2 * linear_weights);
}

// Everything at 4 bytes: norms 2 x 12 h, q, k, v 12 h, attention output twice 8 h, MLP 56 h: 100 h;
// cos and sin 2 x 4 x 128, the statistics of the first test 136.
TEST(Activations, MistralLayerInFloat32) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, kTokens}, Precision::kFloat32);
  EXPECT_EQ(testing::saved_bytes(g.modules[1]), kTokens * (100 * kHidden + 1024 + 136));
}

// Residual saves 2 x 4 h, casts 4 x 2 h, q, k, v 6 h, attention output 2 h, layer scale 2 x 2 h,
// MLP 16 h: 44 h per token. Log-sum-exp 4 x 16, mean and 1/sigma 2 x 8: 80 bytes. Weight casts: 2
// bytes for each of 12 h^2 elements (nobody keeps a bias').
TEST(Activations, Dinov2LayerUnderAutocast) {
  const auto g = build_model_graph(testing::dinov2_large(), {256, 0}, Precision::kAutocast);
  const std::int64_t casts = 2 * 12 * 1024 * 1024;
  EXPECT_EQ(g.batch.sequence, 257);
  EXPECT_EQ(testing::saved_bytes(g.modules[1]), std::int64_t{256} * 257 * (44 * 1024 + 80) + casts);
}

// The same without layer scale: 40 h; 14^2 + 1 = 197 tokens of an image.
TEST(Activations, VitLayerUnderAutocast) {
  const auto g = build_model_graph(testing::vit_large(), {8, 0}, Precision::kAutocast);
  const std::int64_t casts = 2 * 12 * 1024 * 1024;
  EXPECT_EQ(g.batch.sequence, 197);
  EXPECT_EQ(testing::saved_bytes(g.modules[1]), std::int64_t{8} * 197 * (40 * 1024 + 80) + casts);
}

// Norm inputs 8 h and outputs 8 h, q, k, v 12 h, attention output 4 h, MLP 32 h: 64 h.
TEST(Activations, VitLayerInFloat32) {
  const auto g = build_model_graph(testing::vit_large(), {8, 0}, Precision::kFloat32);
  EXPECT_EQ(testing::saved_bytes(g.modules[1]), std::int64_t{8} * 197 * (64 * 1024 + 80));
}

// Norm's input 4 h and statistics 8 per token. fp32: its output too, of which cls is a view;
// autocast: bf16 casts of 8 x h features and of the h x 1000 weight.
TEST(Activations, VitHead) {
  const std::int64_t norm = std::int64_t{8} * 197 * (4 * 1024 + 8);
  const auto plain = build_model_graph(testing::vit_large(), {8, 0}, Precision::kFloat32);
  EXPECT_EQ(testing::saved_bytes(plain.modules[25]), norm + std::int64_t{8} * 197 * 4 * 1024);
  const auto cast = build_model_graph(testing::vit_large(), {8, 0}, Precision::kAutocast);
  EXPECT_EQ(testing::saved_bytes(cast.modules[25]), norm + 2 * (8 + 1000) * 1024);
}

// 32 x 3 x 224 x 224 x 4 = 19,267,584 and 256 x ... = 154,140,672 bytes of images, 8 per label.
TEST(Activations, BatchStaysAlive) {
  const auto base = build_model_graph(testing::dinov2_base(), {32, 0}, Precision::kAutocast);
  const auto large = build_model_graph(testing::dinov2_large(), {256, 0}, Precision::kAutocast);
  EXPECT_EQ(base.input_bytes.value, 19'267'584 + 32 * 8);
  EXPECT_EQ(large.input_bytes.value, 154'140'672 + 256 * 8);
  EXPECT_EQ(base.tokens, 32 * 257);
  const auto text = build_model_graph(testing::mistral_7b(), {2, 512}, Precision::kBFloat16);
  EXPECT_EQ(text.input_bytes.value, 1024 * 3 * 8);
  EXPECT_EQ(text.samples, 2);
}

// Returned logits 4 T V; log-softmax, its gradient and its input's gradient 4 (T - b) V each: 16
// bytes per logit at the start of backward (3 positions of 4 are shifted here: b = 1, s = 4).
TEST(Activations, LossHoldsSixteenBytesPerLogit) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, 4}, Precision::kBFloat16);
  const Module& loss = g.modules.back();
  ASSERT_EQ(loss.kind, ModuleKind::kLoss);
  EXPECT_EQ(g.output_bytes.value, 4 * 4 * 32000);
  EXPECT_EQ(testing::saved_bytes(loss), 4 * 3 * 32000);
  EXPECT_EQ(loss.backward[1].name, "log-softmax backward");
  EXPECT_EQ(loss.backward[1].transient().value, 8 * 3 * 32000);
}

// SwiGLU's backward, T (4 f + 4 h): d gate*up's two halves, the residual's gradient and x's.
TEST(Activations, BackwardTransientOfTheMlp) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, kTokens}, Precision::kBFloat16);
  for (const Row& row : g.modules[1].backward) {
    if (row.name != "up_proj input grad") continue;
    EXPECT_EQ(row.transient().value, kTokens * (4 * 14336 + 4 * kHidden));
    return;
  }
  FAIL() << "no such row";
}

}  // namespace
}  // namespace heddle::model
