#include <gtest/gtest.h>

#include "sim/model/model_flops.h"
#include "tests/unit/model/specs.h"

namespace heddle::model {
namespace {

double attention_flops(const ModelGraph& g) {
  double sum = 0;
  for (const Module& m : g.modules) {
    for (const Row& r : m.forward) {
      if (r.kernel.kind == schedule::KernelKind::kAttention) sum += r.kernel.flops.value;
    }
  }
  return sum;
}

// 6 x 1024 x (7,241,732,096 - embedding 131,072,000 - 65 norms x 4096) + causal attention
// 6 x 1024 x 1024 x 4096 x 32.
TEST(ModelFlops, Mistral) {
  const auto g = build_model_graph(testing::mistral_7b(), {1, 1024}, Precision::kBFloat16);
  const double products = 7'241'732'096.0 - 131'072'000.0 - 65.0 * 4096;
  EXPECT_DOUBLE_EQ(g.flops_per_step.value, 6 * 1024 * products + 6.0 * 1024 * 1024 * 4096 * 32);
}

TEST(ModelFlops, RowsAddUpToIt) {
  const auto g = build_model_graph(testing::mistral_7b(), {2, 512}, Precision::kAutocast);
  double products = 0;
  for (const Module& m : g.modules) {
    products += testing::gemm_flops(m.forward) + testing::gemm_flops(m.backward);
  }
  EXPECT_DOUBLE_EQ(g.flops_per_step.value, products + 3 * attention_flops(g));
}

// Full attention, 4 s^2 a per image and layer forward, thrice that in all.
TEST(ModelFlops, Dinov2Attention) {
  const auto g = build_model_graph(testing::dinov2_base(), {2, 0}, Precision::kAutocast);
  EXPECT_DOUBLE_EQ(attention_flops(g), 2.0 * 12 * 4 * 257 * 257 * 768);
}

// Per image: 197 tokens meet 12 layers of 12 h^2, 196 patches 768 x h, one classifier h x 1000; and
// attention 12 s^2 a per layer.
TEST(ModelFlops, Vit) {
  const auto g = build_model_graph(testing::vit_base(), {1, 0}, Precision::kAutocast);
  const double products = 197.0 * 12 * 12 * 768 * 768 + 196.0 * 768 * 768 + 768.0 * 1000;
  EXPECT_DOUBLE_EQ(g.flops_per_step.value, 6 * products + 12.0 * 197 * 197 * 768 * 12);
}

}  // namespace
}  // namespace heddle::model
