// LoRA on Mistral-7B and Llama 2 7B. Symbols as in layer_options_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/model/model_flops.h"
#include "tests/unit/model/specs.h"
#include "tests/unit/model/walk.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kTokens = 1024;
constexpr std::int64_t kHidden = 4096;

ComputeOptions lora(std::int64_t rank, std::vector<std::string> targets) {
  ComputeOptions options;
  options.lora = {rank, std::move(targets)};
  return options;
}

ModelGraph graph(const ComputeOptions& options) {
  return build_model_graph(testing::mistral_7b(), {1, kTokens}, options);
}

// q: 16 x 4096 + 4096 x 16, v: 16 x 4096 + 1024 x 16; 32 layers. PEFT prints these numbers.
TEST(Lora, TrainableParameters) {
  const auto mistral = graph(lora(16, {"q_proj", "v_proj"}));
  EXPECT_EQ(mistral.trainable_count(), 6'815'744);
  EXPECT_EQ(mistral.param_count(), 7'241'732'096 + 6'815'744);
  auto llama2 = testing::mistral_7b();
  llama2.kv_heads = 32;
  llama2.ffn = 11008;
  EXPECT_EQ(build_model_graph(llama2, {1, 64}, lora(8, {"q_proj", "v_proj"})).trainable_count(),
            4'194'304);
}

TEST(Lora, NamesAndShapesOfAdapters) {
  const auto g = graph(lora(16, {"v_proj"}));
  const auto& params = g.modules[1].params;
  const auto at = std::ranges::find(params, "layers.0.self_attn.v_proj.weight", &ParamTensor::name);
  ASSERT_LT(params.end() - at, static_cast<std::ptrdiff_t>(params.size()));
  EXPECT_FALSE(at->trainable);
  EXPECT_EQ(at[1].name, "layers.0.self_attn.v_proj.lora_A.weight");
  EXPECT_EQ(at[1].shape, (std::vector<std::int64_t>{16, 4096}));
  EXPECT_TRUE(at[1].trainable);
  EXPECT_EQ(at[2].name, "layers.0.self_attn.v_proj.lora_B.weight");
  EXPECT_EQ(at[2].shape, (std::vector<std::int64_t>{1024, 16}));
}

// Norms' fp32 inputs 8 h, the first norm's output for q's and v's adapters 2 h, q, k, v 6 h,
// attention's output 2 h (no copy for o), gate, silu(gate), up 6 f = 21 h (no product for down):
// 39 h; two thin outputs of 16 in bf16.
TEST(Lora, QueryAndValueKeepLittle) {
  const auto g = graph(lora(16, {"q_proj", "v_proj"}));
  EXPECT_EQ(testing::Walk(g.modules[1]).after_forward(), kTokens * (39 * kHidden + 648 + 2 * 32));
}

// Everything but the two normalized tensors (2 h each): 54 h - 4 h; seven thin outputs.
TEST(Lora, AllLinearsKeepTheirInputs) {
  const auto g = graph(
      lora(16, {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}));
  EXPECT_EQ(testing::Walk(g.modules[1]).after_forward(), kTokens * (50 * kHidden + 648 + 7 * 32));
}

// Under autocast: norms' inputs 8 h; a cast of the norm's output for each of two adapters 4 h; q,
// k, v 6 h, output 2 h, 21 h: 41 h. Casts of all weights stay for the gradients of the inputs,
// adapters too.
TEST(Lora, UnderAutocast) {
  ComputeOptions options = lora(16, {"q_proj", "v_proj"});
  options.precision = Precision::kAutocast;
  const std::int64_t weights = 218'112'000 - 2 * kHidden + 16 * (4096 + 4096) + 16 * (4096 + 1024);
  EXPECT_EQ(testing::Walk(graph(options).modules[1]).after_forward(),
            kTokens * (41 * kHidden + 648 + 2 * 32) + 2 * weights);
}

// The head and its norm are frozen: fp32 input and 1/rms only.
TEST(Lora, FrozenHead) {
  const auto g = graph(lora(16, {"q_proj"}));
  EXPECT_EQ(testing::Walk(g.modules[33]).after_forward(), kTokens * (4 * kHidden + 4));
  EXPECT_TRUE(g.modules[0].backward.empty());
}

// A frozen layer has one product in backward for each of forward; an adapter two, r (in + out).
TEST(Lora, ProductsOfBackward) {
  const auto g = graph(lora(16, {"q_proj"}));
  const double adapter = 2.0 * 1024 * 16 * (4096 + 4096);
  EXPECT_DOUBLE_EQ(testing::gemm_flops(g.modules[1].backward),
                   testing::gemm_flops(g.modules[1].forward) + adapter);
}

// 4 per frozen weight, 6 per adapter weight: 7,110,660,096 weights in products (all but the table
// and the 65 norms of 4096), 32 x 16 x 8192 in adapters, 1000 tokens; attention as ever.
TEST(Lora, ModelFlops) {
  const auto spec = testing::mistral_7b();
  const LoraOptions options{16, {"q_proj"}};
  const double weights = 7'241'732'096.0 - 32000.0 * 4096 - 65 * 4096;
  const double attention = 6.0 * 1000 * 1000 * 4096 * 32;
  EXPECT_DOUBLE_EQ(model_flops(spec, {1, 1000}, options).value,
                   1000 * (4 * weights + 6.0 * 32 * 16 * 8192) + attention);
}

// With a fused loss the frozen head has no gradient: T h only.
TEST(Lora, FusedLossMakesNoHeadGradient) {
  ComputeOptions options = lora(16, {"q_proj"});
  options.loss = LossHead::kFused;
  const auto g = graph(options);
  EXPECT_EQ(testing::Walk(g.modules[33]).before_backward(),
            kTokens * (2 * kHidden + 4 * kHidden + 4));
}

}  // namespace
}  // namespace heddle::model
