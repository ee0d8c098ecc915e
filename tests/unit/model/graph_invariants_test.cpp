#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "tests/unit/model/specs.h"

namespace heddle::model {
namespace {

ModelSpec with_dropout(ModelSpec spec) {
  spec.dropout = {0.1, 0.1, 0.1, 0.1};
  return spec;
}

ModelSpec model_named(const std::string& name) {
  if (name == "dinov2") return testing::dinov2_base();
  if (name == "vit") return testing::vit_base();
  if (name == "gpt2") return with_dropout(testing::gpt2());
  if (name == "gemma") return testing::gemma_2b();
  if (name == "qwen2") return testing::qwen2_7b();
  if (name == "qwen3") return testing::qwen3_8b();
  if (name == "pythia") return testing::pythia_1b();
  if (name == "neox") {
    auto spec = with_dropout(testing::pythia_1b());
    spec.parallel_residual = false;
    return spec;
  }
  if (name == "phi") return testing::phi_1_5();
  if (name == "mpt") return testing::mpt_7b();
  if (name == "bert") return with_dropout(testing::bert_large());
  auto spec = testing::mistral_7b();
  if (name == "llama2") spec.kv_heads = spec.heads;  // no key/value heads to repeat
  spec.tied_embeddings = name == "tied";
  return spec;
}

class GraphInvariants : public ::testing::TestWithParam<std::tuple<std::string, Precision>> {
 protected:
  ModelGraph graph_ =
      build_model_graph(model_named(std::get<0>(GetParam())), {2, 256}, std::get<1>(GetParam()));
};

std::map<int, int> count(const Module& m, std::vector<int> Row::*what) {
  std::map<int, int> times;
  for (const auto* rows : {&m.forward, &m.backward}) {
    for (const Row& r : *rows) {
      for (const int i : r.*what) ++times[i];
    }
  }
  return times;
}

std::map<int, int> once_each(std::size_t n) {
  std::map<int, int> out;
  for (std::size_t i = 0; i < n; ++i) out[static_cast<int>(i)] = 1;
  return out;
}

TEST_P(GraphInvariants, SavedTensorsAreAllocatedOnceAndDroppedOnce) {
  for (const Module& m : graph_.modules) {
    EXPECT_EQ(count(m, &Row::saves), once_each(m.saved.size())) << m.name;
    EXPECT_EQ(count(m, &Row::drops), once_each(m.saved.size())) << m.name;
    for (const Row& r : m.backward) EXPECT_TRUE(r.saves.empty()) << m.name << " " << r.name;
  }
}

TEST_P(GraphInvariants, GradientsCoverEveryParameterOnce) {
  for (const Module& m : graph_.modules) {
    EXPECT_EQ(count(m, &Row::gradients), once_each(m.params.size())) << m.name;
    for (const Row& r : m.forward) EXPECT_TRUE(r.gradients.empty()) << m.name << " " << r.name;
  }
}

TEST_P(GraphInvariants, EveryParameterHasATorchModule) {
  for (const Module& m : graph_.modules) {
    ASSERT_EQ(m.submodule_of_param.size(), m.params.size());
    for (const int s : m.submodule_of_param) EXPECT_TRUE(s >= 0 && s < m.submodules) << m.name;
  }
}

TEST_P(GraphInvariants, EveryKernelHasWork) {
  for (const Module& m : graph_.modules) {
    for (const auto* rows : {&m.forward, &m.backward}) {
      for (const Row& r : *rows) {
        EXPECT_GE(r.transient().value, 0) << m.name << " " << r.name;
        EXPECT_GT(r.dispatches, 0) << m.name << " " << r.name;
        if (r.kernel.launches > 0) {
          EXPECT_GT(r.kernel.bytes.value, 0) << m.name << " " << r.name;
        }
      }
    }
  }
}

// Each product of forward has one for its weight and one for its input in backward; images need no
// gradient, so the patch projection has only the former.
TEST_P(GraphInvariants, BackwardProductsAreTwiceForward) {
  for (const Module& m : graph_.modules) {
    const double factor = m.kind == ModuleKind::kEmbedding ? 1 : 2;
    EXPECT_DOUBLE_EQ(testing::gemm_flops(m.backward), factor * testing::gemm_flops(m.forward))
        << m.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, GraphInvariants,
    ::testing::Combine(
        ::testing::Values("mistral", "llama2", "tied", "dinov2", "vit", "gpt2", "gemma", "qwen2",
                          "qwen3", "pythia", "neox", "phi", "bert"),
        ::testing::Values(Precision::kBFloat16, Precision::kAutocast, Precision::kFloat32)));

}  // namespace
}  // namespace heddle::model
