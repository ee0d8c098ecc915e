#include <gtest/gtest.h>

#include <map>

#include "tests/unit/model/specs.h"

namespace heddle::model {
namespace {

std::map<std::string, std::int64_t> by_name(const Module& m) {
  std::map<std::string, std::int64_t> out;
  for (const ParamTensor& p : m.params) out[p.name] = p.numel();
  return out;
}

// Layer: q, o 4096 x 4096 = 16,777,216; k, v 1024 x 4096 = 4,194,304; gate, up, down 14336 x 4096 =
// 58,720,256; norms 4096. 2 x 16,777,216 + 2 x 4,194,304 + 3 x 58,720,256 + 2 x 4096 = 218,112,000.
TEST(Parameters, MistralLayer) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, 64}, Precision::kBFloat16);
  ASSERT_EQ(g.modules.size(), 35U);
  EXPECT_EQ(g.modules[8].name, "layers.7");
  EXPECT_EQ(g.modules[8].layer, 7);
  EXPECT_EQ(g.modules[8].numel(), 218'112'000);
  auto numel = by_name(g.modules[8]);
  EXPECT_EQ(numel.size(), 9U);
  EXPECT_EQ(numel["layers.7.self_attn.q_proj.weight"], 16'777'216);
  EXPECT_EQ(numel["layers.7.self_attn.k_proj.weight"], 4'194'304);
  EXPECT_EQ(numel["layers.7.mlp.down_proj.weight"], 58'720'256);
  EXPECT_EQ(numel["layers.7.input_layernorm.weight"], 4096);
}

// 32 x 218,112,000 + 2 x 32000 x 4096 + 4096 = 6,979,584,000 + 262,144,000 + 4,096.
TEST(Parameters, MistralTotal) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, 64}, Precision::kBFloat16);
  EXPECT_EQ(g.modules.front().numel(), 131'072'000);
  EXPECT_EQ(g.modules[33].numel(), 131'072'000 + 4096);
  EXPECT_EQ(g.param_count(), 7'241'732'096);
  EXPECT_EQ(g.trainable_count(), g.param_count());
}

TEST(Parameters, TiedTableIsCountedOnce) {
  auto spec = testing::mistral_7b();
  spec.tied_embeddings = true;
  const auto g = build_model_graph(spec, {1, 64}, Precision::kBFloat16);
  EXPECT_EQ(g.param_count(), 7'241'732'096 - 131'072'000);
}

// Layer 12 h^2 + 15 h = 7,089,408; embeddings cls 768 + mask 768 + positions (37^2 + 1) 768 +
// projection 588 x 768 + 768 = 1,506,048; norm 1,536; classifier 1536 x 101 + 101 = 155,237.
TEST(Parameters, Dinov2Base) {
  const auto g = build_model_graph(testing::dinov2_base(), {32, 0}, Precision::kAutocast);
  ASSERT_EQ(g.modules.size(), 15U);
  EXPECT_EQ(g.modules[0].numel(), 1'506'048);
  EXPECT_EQ(g.modules[1].numel(), 7'089'408);
  EXPECT_EQ(g.modules[1].params.size(), 18U);
  EXPECT_EQ(g.modules[13].numel(), 1'536 + 155'237);
  EXPECT_EQ(g.param_count(), 86'735'717);
}

// 24 x (12 x 1024^2 + 15 x 1024) + 1961 x 1024 + 2048 + (2048 x 101 + 101).
TEST(Parameters, Dinov2Large) {
  const auto g = build_model_graph(testing::dinov2_large(), {1, 0}, Precision::kFloat32);
  EXPECT_EQ(g.param_count(), 304'575'589);
}

// Layer 12 h^2 + 13 h = 7,087,872 (no layer scales); embeddings cls 768 + positions (14^2 + 1) 768
// + projection 768 x 768 + 768 = 742,656; norm 1,536; classifier 768 x 1000 + 1000 = 769,000.
TEST(Parameters, VitBase) {
  const auto g = build_model_graph(testing::vit_base(), {32, 0}, Precision::kAutocast);
  ASSERT_EQ(g.modules.size(), 15U);
  EXPECT_EQ(g.modules[0].numel(), 742'656);
  EXPECT_EQ(g.modules[1].numel(), 7'087'872);
  EXPECT_EQ(g.modules[13].numel(), 1'536 + 769'000);
  EXPECT_EQ(g.param_count(), 86'567'656);
}

// 24 x (12 x 1024^2 + 13 x 1024) + (1 + 197 + 768 + 1) x 1024 + 2048 + (1024 x 1000 + 1000).
TEST(Parameters, VitLarge) {
  const auto g = build_model_graph(testing::vit_large(), {1, 0}, Precision::kFloat32);
  EXPECT_EQ(g.param_count(), 304'326'632);
}

// As named_parameters() of a ViTLayer lists them: the norms come last.
TEST(Parameters, VitLayerInTheOrderOfTransformers) {
  const auto g = build_model_graph(testing::vit_base(), {1, 0}, Precision::kFloat32);
  std::vector<std::string> weights;
  for (const ParamTensor& p : g.modules[1].params) {
    if (p.name.ends_with(".weight")) weights.push_back(p.name);
  }
  EXPECT_EQ(g.modules[1].params.size(), 16U);
  EXPECT_EQ(
      weights,
      (std::vector<std::string>{
          "layers.0.attention.attention.query.weight", "layers.0.attention.attention.key.weight",
          "layers.0.attention.attention.value.weight", "layers.0.attention.output.dense.weight",
          "layers.0.intermediate.dense.weight", "layers.0.output.dense.weight",
          "layers.0.layernorm_before.weight", "layers.0.layernorm_after.weight"}));
}

// Three vectors of h fewer in each layer.
TEST(Parameters, VitWithoutQkvBias) {
  auto spec = testing::vit_base();
  spec.qkv_bias = false;
  const auto g = build_model_graph(spec, {1, 0}, Precision::kFloat32);
  EXPECT_EQ(g.modules[1].params.size(), 13U);
  EXPECT_EQ(g.param_count(), 86'567'656 - 12 * 3 * 768);
}

}  // namespace
}  // namespace heddle::model
