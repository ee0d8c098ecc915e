// Operators against counts taken with a dispatch hook on torch 2.5.1 and transformers 4.46.3, SDPA
// attention (sim/model/README.md, "Operators").
#include <gtest/gtest.h>

#include "tests/unit/model/specs.h"

namespace heddle::model {
namespace {

struct Counts {
  int layer_forward = 0;
  int layer_backward = 0;
  int rest_forward = 0;
  int rest_backward = 0;
};

Counts count(const ModelGraph& g) {
  Counts c;
  for (const Module& m : g.modules) {
    if (m.kind == ModuleKind::kLayer) {
      c.layer_forward = testing::dispatches(m.forward);
      c.layer_backward = testing::dispatches(m.backward);
    } else {
      c.rest_forward += testing::dispatches(m.forward);
      c.rest_backward += testing::dispatches(m.backward);
    }
  }
  return c;
}

// Counted 113, 165 and with an all-ones mask 33, 45; the copy of the attention output is one more.
TEST(Dispatches, MistralInBFloat16) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, 128}, Precision::kBFloat16);
  const Counts c = count(g);
  EXPECT_EQ(c.layer_forward, 113 + 1);
  EXPECT_EQ(c.layer_backward, 165);
  EXPECT_EQ(c.rest_forward, 33);
  EXPECT_EQ(c.rest_backward, 45);
}

// Counted 120 and 175 per layer.
TEST(Dispatches, MistralUnderAutocast) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, 128}, Precision::kAutocast);
  const Counts c = count(g);
  EXPECT_EQ(c.layer_forward, 120 + 1);
  EXPECT_EQ(c.layer_backward, 175);
}

// Counted 57, 139 per layer; a classifier of 2 layers 155 and 344 in all.
TEST(Dispatches, Dinov2UnderAutocast) {
  const auto g = build_model_graph(testing::dinov2_base(), {2, 0}, Precision::kAutocast);
  const Counts c = count(g);
  EXPECT_EQ(c.layer_forward, 57);
  EXPECT_EQ(c.layer_backward, 139);
  EXPECT_EQ(c.rest_forward, 155 - 2 * 57);
  EXPECT_EQ(c.rest_backward, 344 - 2 * 139);
}

// Counted 41 and 121 per layer.
TEST(Dispatches, Dinov2InFloat32) {
  const auto g = build_model_graph(testing::dinov2_base(), {2, 0}, Precision::kFloat32);
  const Counts c = count(g);
  EXPECT_EQ(c.layer_forward, 41);
  EXPECT_EQ(c.layer_backward, 121);
}

// Counted 55, 127 per layer; a classifier of 2 layers 135 and 301 in all.
TEST(Dispatches, VitUnderAutocast) {
  const auto g = build_model_graph(testing::vit_base(), {2, 0}, Precision::kAutocast);
  const Counts c = count(g);
  EXPECT_EQ(c.layer_forward, 55);
  EXPECT_EQ(c.layer_backward, 127);
  EXPECT_EQ(c.rest_forward, 135 - 2 * 55);
  EXPECT_EQ(c.rest_backward, 301 - 2 * 127);
}

// Counted 39 and 109 per layer in both.
TEST(Dispatches, VitInOneType) {
  for (const Precision precision : {Precision::kFloat32, Precision::kBFloat16}) {
    const Counts c = count(build_model_graph(testing::vit_base(), {2, 0}, precision));
    EXPECT_EQ(c.layer_forward, 39);
    EXPECT_EQ(c.layer_backward, 109);
  }
}

// Counted 52, 112 per layer under autocast and 39, 97 in fp32; DINOv2 54, 124 under autocast.
TEST(Dispatches, VitWithoutQkvBias) {
  auto spec = testing::vit_base();
  spec.qkv_bias = false;
  const Counts cast = count(build_model_graph(spec, {2, 0}, Precision::kAutocast));
  EXPECT_EQ(cast.layer_forward, 52);
  EXPECT_EQ(cast.layer_backward, 112);
  const Counts plain = count(build_model_graph(spec, {2, 0}, Precision::kFloat32));
  EXPECT_EQ(plain.layer_forward, 39);
  EXPECT_EQ(plain.layer_backward, 97);
  spec = testing::dinov2_base();
  spec.qkv_bias = false;
  const Counts dinov2 = count(build_model_graph(spec, {2, 0}, Precision::kAutocast));
  EXPECT_EQ(dinov2.layer_forward, 54);
  EXPECT_EQ(dinov2.layer_backward, 124);
}

}  // namespace
}  // namespace heddle::model
