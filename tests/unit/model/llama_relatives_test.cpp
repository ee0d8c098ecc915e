// Gemma and Qwen, by what they add to Mistral's layer; counts with hooks on torch 2.5.1,
// transformers 4.46.3 (Qwen3: 4.51.3), CPU.
#include <gtest/gtest.h>

#include "tests/unit/model/specs.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kTokens = 2 * 128;

ModelGraph graph(const ModelSpec& spec, Precision precision) {
  return build_model_graph(spec, {2, 128}, precision);
}

struct Layer {
  int forward = 0;
  int backward = 0;
  std::int64_t saved = 0;

  friend Layer operator-(const Layer& a, const Layer& b) {
    return {a.forward - b.forward, a.backward - b.backward, a.saved - b.saved};
  }
};

Layer layer(const ModelSpec& spec, Precision precision) {
  const auto g = graph(spec, precision);
  return {testing::dispatches(g.modules[1].forward), testing::dispatches(g.modules[1].backward),
          testing::saved_bytes(g.modules[1])};
}

TEST(LlamaRelatives, HaveTheirPublishedParameters) {
  const auto count = [](const ModelSpec& spec) {
    return graph(spec, Precision::kBFloat16).param_count();
  };
  EXPECT_EQ(count(testing::gemma_2b()), 2'506'172'416);
  EXPECT_EQ(count(testing::qwen2_7b()), 7'615'616'512);
  EXPECT_EQ(count(testing::qwen3_8b()), 8'190'735'360);
}

// Counted 177 - 165 backward: sum, view and two detach for each of q, k, v; autocast casts three
// biases each way, and 196 - 181 is three more.
TEST(LlamaRelatives, Qwen2AddsBiases) {
  auto plain = testing::qwen2_7b();
  plain.qkv_bias = false;
  const Layer bf16 =
      layer(testing::qwen2_7b(), Precision::kBFloat16) - layer(plain, Precision::kBFloat16);
  EXPECT_EQ(bf16.forward, 0);
  EXPECT_EQ(bf16.backward, 12);
  EXPECT_EQ(bf16.saved, 0);
  const Layer cast =
      layer(testing::qwen2_7b(), Precision::kAutocast) - layer(plain, Precision::kAutocast);
  EXPECT_EQ(cast.forward, 3);
  EXPECT_EQ(cast.backward, 15);
}

// Counted 112 - 94 and 207 - 165 in bf16, 14 and 38 in fp32: two norms. Kept per element of q and
// k: fp32 input 4, normalized 2 (fp32: 4 and 4, the projection's output being the input); 1/rms 4
// per head.
TEST(LlamaRelatives, Qwen3NormalizesQueriesAndKeys) {
  auto plain = testing::qwen3_8b();
  plain.qk_norm = false;
  const std::int64_t elements = kTokens * (32 + 8) * 128;
  const std::int64_t inverse = kTokens * (32 + 8) * 4;
  const Layer bf16 =
      layer(testing::qwen3_8b(), Precision::kBFloat16) - layer(plain, Precision::kBFloat16);
  EXPECT_EQ(bf16.forward, 18);
  EXPECT_EQ(bf16.backward, 42);
  EXPECT_EQ(bf16.saved, elements * 6 + inverse);
  const Layer cast =
      layer(testing::qwen3_8b(), Precision::kAutocast) - layer(plain, Precision::kAutocast);
  EXPECT_EQ(cast.forward, 18);
  EXPECT_EQ(cast.saved, elements * 6 + inverse);
  const Layer fp32 =
      layer(testing::qwen3_8b(), Precision::kFloat32) - layer(plain, Precision::kFloat32);
  EXPECT_EQ(fp32.forward, 14);
  EXPECT_EQ(fp32.backward, 38);
  EXPECT_EQ(fp32.saved, elements * 8 + inverse);
}

// A norm takes 2 operators more forward, 1 backward (fp32: 1 and none); its normalized tensor is
// fp32, 2 bytes per element more in bf16, and 1 + w stays.
TEST(LlamaRelatives, GemmaNormalizesInFloat32) {
  auto plain = testing::gemma_2b();
  plain.offset_norm = false;
  const Layer bf16 =
      layer(testing::gemma_2b(), Precision::kBFloat16) - layer(plain, Precision::kBFloat16);
  EXPECT_EQ(bf16.forward, 4);
  EXPECT_EQ(bf16.backward, 2);
  EXPECT_EQ(bf16.saved, 2 * (kTokens * 2048 * 2 + 2048 * 4));
  const Layer fp32 =
      layer(testing::gemma_2b(), Precision::kFloat32) - layer(plain, Precision::kFloat32);
  EXPECT_EQ(fp32.forward, 2);
  EXPECT_EQ(fp32.backward, 0);
  EXPECT_EQ(fp32.saved, 2 * 2048 * 4);
}

// Counted 115 and 165; there repeating the only key/value head is a view. We keep copies, two more
// forward and two backward, which the published readings include (48.0 copies of the hidden state);
// and the copy of attention's output, as for Mistral.
TEST(LlamaRelatives, OperatorsOfGemmasLayer) {
  const Layer gemma = layer(testing::gemma_2b(), Precision::kBFloat16);
  EXPECT_EQ(gemma.forward, 115 + 2 + 1);
  EXPECT_EQ(gemma.backward, 165 + 2);
}

// Copies of the hidden state a layer leaves on a GPU, its output included, as published
// (stas00/ml-engineering, 32384 tokens): 48.0 and, of Qwen3 8B's class, 29.8.
TEST(LlamaRelatives, MeasuredCopiesOfTheHiddenState) {
  const auto copies = [](const ModelSpec& spec) {
    const std::int64_t tokens = 32384;
    const auto g = build_model_graph(spec, {1, tokens}, Precision::kBFloat16);
    const auto hidden = static_cast<double>(2 * spec.hidden * tokens);
    return static_cast<double>(testing::saved_bytes(g.modules[1])) / hidden + 1;
  };
  EXPECT_NEAR(copies(testing::gemma_2b()), 48.0, 0.01 * 48.0);
  EXPECT_NEAR(copies(testing::qwen3_8b()), 29.8, 0.01 * 29.8);
}

}  // namespace
}  // namespace heddle::model
