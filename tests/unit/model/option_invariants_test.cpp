// What holds of every graph, for every option and their combinations.
#include <gtest/gtest.h>

#include <map>

#include "sim/model/compute_check.h"
#include "tests/unit/model/specs.h"
#include "tests/unit/model/walk.h"

namespace heddle::model {
namespace {

/// Every combination of switches that is not refused.
std::vector<ComputeOptions> all_options() {
  std::vector<ComputeOptions> out;
  for (const Precision p : {Precision::kBFloat16, Precision::kAutocast, Precision::kFloat32}) {
    for (const Attention a : {Attention::kEager, Attention::kSdpa, Attention::kGrouped}) {
      for (const Checkpointing c : {Checkpointing::kNone, Checkpointing::kFull,
                                    Checkpointing::kSelective, Checkpointing::kEvery}) {
        for (int bits = 0; bits < 32; ++bits) {
          ComputeOptions o{.precision = p, .attention = a, .checkpointing = c};
          o.compiled = (bits & 1) != 0;
          o.fused_norm = (bits & 2) != 0;
          o.fused_mlp = (bits & 4) != 0;
          o.kv_cache = (bits & 8) != 0;
          if ((bits & 16) != 0) o.lora = {4, {"k_proj", "o_proj", "up_proj"}};
          o.loss = static_cast<LossHead>(out.size() % 6);
          if (compute_problem(testing::mistral_7b(), o).empty()) out.push_back(o);
          o.fp8 = static_cast<Float8>(1 + bits % 3);
          if (compute_problem(testing::mistral_7b(), o).empty()) out.push_back(o);
        }
      }
    }
  }
  return out;
}

/// LayerNorm models, with and without dropout.
void add_text_graphs(std::vector<ModelGraph>& out) {
  for (ModelSpec spec :
       {testing::gpt2(), testing::pythia_1b(), testing::phi_1_5(), testing::bert_large()}) {
    spec.layers = 2;
    for (ComputeOptions o : all_options()) {
      o.loss = LossHead::kReturned;
      spec.dropout.hidden = spec.dropout.attention = o.precision == Precision::kAutocast ? 0.1 : 0;
      if (compute_problem(spec, o).empty()) out.push_back(build_model_graph(spec, {2, 256}, o));
      o.fused_softmax = true;
      if (compute_problem(spec, o).empty()) out.push_back(build_model_graph(spec, {2, 256}, o));
    }
  }
}

std::vector<ModelGraph> make_graphs() {
  std::vector<ModelGraph> out;
  add_text_graphs(out);
  for (ComputeOptions o : all_options()) {
    for (const std::int64_t kv_heads : {8, 32}) {
      auto spec = testing::mistral_7b();
      spec.layers = 2;
      spec.kv_heads = kv_heads;
      spec.tied_embeddings = kv_heads == 8 && o.fused_norm;
      if (o.loss == LossHead::kChunked) o.loss_chunks = 3;
      out.push_back(build_model_graph(spec, {2, 256}, o));
    }
  }
  return out;
}

const std::vector<ModelGraph>& all_graphs() {
  static const std::vector<ModelGraph> graphs = make_graphs();
  return graphs;
}

std::string where(const ModelGraph& g, const Module& m) {
  const ComputeOptions& o = g.compute;
  return m.name + ": precision " + std::to_string(static_cast<int>(o.precision)) + " fp8 " +
         std::to_string(static_cast<int>(o.fp8)) + " attention " +
         std::to_string(static_cast<int>(o.attention)) + " checkpointing " +
         std::to_string(static_cast<int>(o.checkpointing)) + " loss " +
         std::to_string(static_cast<int>(o.loss)) + (o.compiled ? " compiled" : "") +
         (o.fused_norm ? " fused_norm" : "") + (o.fused_mlp ? " fused_mlp" : "") +
         (o.kv_cache ? " kv_cache" : "") + (o.lora.rank > 0 ? " lora" : "");
}

TEST(OptionInvariants, ThereAreManyCombinations) {
  EXPECT_GT(all_options().size(), 300U);
}

TEST(OptionInvariants, TensorsAreMadeAndDroppedInTurnAndAllGo) {
  for (const ModelGraph& g : all_graphs()) {
    for (const Module& m : g.modules) {
      const testing::Walk walk(m);
      EXPECT_EQ(walk.faults(), std::vector<std::string>{}) << where(g, m);
      EXPECT_EQ(walk.leaked(), 0) << where(g, m);
    }
  }
}

TEST(OptionInvariants, EachTrainableParameterGetsOneGradient) {
  for (const ModelGraph& g : all_graphs()) {
    for (const Module& m : g.modules) {
      std::vector<int> gradients(m.params.size(), 0);
      for (const Row& row : m.forward) EXPECT_TRUE(row.gradients.empty()) << where(g, m);
      for (const Row& row : m.backward) {
        for (const int i : row.gradients) ++gradients[static_cast<std::size_t>(i)];
      }
      for (std::size_t i = 0; i < gradients.size(); ++i) {
        EXPECT_EQ(gradients[i], m.params[i].trainable ? 1 : 0) << where(g, m) << m.params[i].name;
      }
    }
  }
}

TEST(OptionInvariants, RowsHaveWorkAndParametersAModule) {
  for (const ModelGraph& g : all_graphs()) {
    for (const Module& m : g.modules) {
      for (const int s : m.submodule_of_param)
        EXPECT_TRUE(s >= 0 && s < m.submodules) << where(g, m);
      for (const auto* rows : {&m.forward, &m.backward}) {
        for (const Row& row : *rows) {
          EXPECT_GT(row.dispatches, 0) << where(g, m) << row.name;
          EXPECT_TRUE(row.kernel.launches == 0 || row.kernel.bytes.value > 0)
              << where(g, m) << row.name;
          for (const Bytes& b : row.transients) EXPECT_GT(b.value, 0) << where(g, m) << row.name;
        }
      }
    }
  }
}

// Checkpointing repeats products of forward; without it backward has twice those of forward.
TEST(OptionInvariants, ProductsOfBackward) {
  for (const ModelGraph& g : all_graphs()) {
    if (g.compute.lora.rank > 0) continue;
    const Module& layer = g.modules[2];  // the second of a pair: not checkpointed by kEvery
    const double forward = testing::gemm_flops(layer.forward);
    const double backward = testing::gemm_flops(layer.backward);
    switch (g.compute.checkpointing) {
      case Checkpointing::kNone:
      case Checkpointing::kEvery:
        EXPECT_DOUBLE_EQ(backward, 2 * forward) << where(g, layer);
        break;
      case Checkpointing::kFull:
        EXPECT_DOUBLE_EQ(backward, 3 * forward) << where(g, layer);
        break;
      case Checkpointing::kSelective:
        EXPECT_GT(backward, 2 * forward) << where(g, layer);
        EXPECT_LT(backward, 3 * forward) << where(g, layer);
        break;
    }
  }
}

}  // namespace
}  // namespace heddle::model
