// LayerNorm language models against counts taken with hooks on torch 2.5.1 and transformers 4.46.3,
// CPU, no dropout (sim/model/README.md, "Operators" and "Saved activations").
#include <gtest/gtest.h>

#include "sim/model/model_flops.h"
#include "tests/unit/model/specs.h"

namespace heddle::model {
namespace {

constexpr std::int64_t kTokens = 2 * 128;

ModelGraph graph(const ModelSpec& spec, Precision precision) {
  return build_model_graph(spec, {2, 128}, precision);
}

std::int64_t layer_bytes(const ModelSpec& spec, Precision precision) {
  return testing::saved_bytes(graph(spec, precision).modules[1]);
}

void expect_layer(const ModelSpec& spec, Precision precision, int forward, int backward) {
  const auto g = graph(spec, precision);
  EXPECT_EQ(testing::dispatches(g.modules[1].forward), forward) << spec.name;
  EXPECT_EQ(testing::dispatches(g.modules[1].backward), backward) << spec.name;
}

void expect_rest(const ModelSpec& spec, int forward, int backward) {
  const auto g = graph(spec, Precision::kBFloat16);
  int f = 0;
  int b = 0;
  for (const Module& m : g.modules) {
    if (m.kind == ModuleKind::kLayer) continue;
    f += testing::dispatches(m.forward);
    b += testing::dispatches(m.backward);
  }
  EXPECT_EQ(f, forward) << spec.name;
  EXPECT_EQ(b, backward) << spec.name;
}

// Published counts: openai-community/gpt2, EleutherAI/pythia-1b, microsoft/phi-1_5 and
// google-bert/bert-large-uncased with a classifier of two labels.
TEST(TextModel, HasItsPublishedParameters) {
  EXPECT_EQ(graph(testing::gpt2(), Precision::kBFloat16).param_count(), 124'439'808);
  EXPECT_EQ(graph(testing::pythia_1b(), Precision::kBFloat16).param_count(), 1'011'781'632);
  EXPECT_EQ(graph(testing::phi_1_5(), Precision::kBFloat16).param_count(), 1'418'270'720);
  // 32 (12 h^2 + 13 h) + 2 h + (50368 + 2048) h.
  EXPECT_EQ(graph(testing::mpt_7b(), Precision::kBFloat16).param_count(), 6'658'859'008);
  EXPECT_EQ(graph(testing::bert_large(), Precision::kFloat32).param_count(), 335'143'938);
}

TEST(TextModel, ParametersComeInTheOrderOfTransformers) {
  const auto first = [](const ModelSpec& spec) {
    return graph(spec, Precision::kBFloat16).modules[1].params.front().name;
  };
  EXPECT_EQ(first(testing::gpt2()), "layers.0.ln_1.weight");
  EXPECT_EQ(first(testing::phi_1_5()), "layers.0.self_attn.q_proj.weight");
  EXPECT_EQ(first(testing::bert_large()), "layers.0.attention.self.query.weight");
  const auto g = graph(testing::gpt2(), Precision::kBFloat16);
  EXPECT_EQ(g.modules[1].params[2].shape, (std::vector<std::int64_t>{768, 3 * 768}));  // Conv1D
}

TEST(TextModel, OperatorsOfALayerAreThoseCounted) {
  expect_layer(testing::gpt2(), Precision::kBFloat16, 36, 83);
  expect_layer(testing::gpt2(), Precision::kFloat32, 36, 83);
  expect_layer(testing::pythia_1b(), Precision::kBFloat16, 55, 110);
  expect_layer(testing::pythia_1b(), Precision::kAutocast, 69, 129);
  expect_layer(testing::phi_1_5(), Precision::kBFloat16, 69, 145);
  expect_layer(testing::bert_large(), Precision::kBFloat16, 39, 109);
  expect_layer(testing::bert_large(), Precision::kAutocast, 55, 127);
}

// Counted 46, 95 and 89, 170 on the CPU. CUDA's autocast also takes pow to fp32 (torch's list of
// operators): x and the product are cast, and three gradients on the way back.
TEST(TextModel, GeluNewUnderAutocastCastsOnCuda) {
  expect_layer(testing::gpt2(), Precision::kAutocast, 46 + 2, 95 + 3);
  expect_layer(testing::phi_1_5(), Precision::kAutocast, 89 + 2, 170 + 3);
}

TEST(TextModel, SequentialNeoxRoundsTwoGradients) {
  auto spec = testing::pythia_1b();
  spec.parallel_residual = false;
  expect_layer(spec, Precision::kBFloat16, 55, 110);
  expect_layer(spec, Precision::kAutocast, 69, 130);
}

// Counted 26, 29 for GPT-2, whose tied head does not hand its gradient on (2 fewer); 46, 26 for
// GPT-NeoX, whose loss slices twice more; 48, 33 and 24, 48 (token types given) for phi and BERT.
TEST(TextModel, OperatorsOfTheRestAreThoseCounted) {
  expect_rest(testing::gpt2(), 26, 29 + 2);
  expect_rest(testing::pythia_1b(), 46 - 2, 26 - 1);
  expect_rest(testing::phi_1_5(), 48, 33);
  expect_rest(testing::bert_large(), 24, 48);
}

// bf16, per token: GPT-2 norm inputs 4 h and outputs 4 h, q, k, v 6 h, attention output 2 h,
// gelu_new 10 f; NeoX the input 2 h, norm outputs 4 h, q, k, v 6 h, rotated q and k 4 h, output and
// copy 4 h, MLP 4 f; phi 2 h, 2 h, 6 h, 4 h, 10 f; BERT as GPT-2 with 4 f. Besides: 8 per norm, 4
// per head.
TEST(TextModel, SavedBytesInBFloat16) {
  const auto per_token = [](std::int64_t h, std::int64_t hs, std::int64_t fs, int norms,
                            std::int64_t heads) {
    return kTokens * (hs * h + fs * 4 * h + 8 * norms + 4 * heads);
  };
  EXPECT_EQ(layer_bytes(testing::gpt2(), Precision::kBFloat16), per_token(768, 16, 10, 2, 12));
  EXPECT_EQ(layer_bytes(testing::pythia_1b(), Precision::kBFloat16), per_token(2048, 20, 4, 2, 8));
  EXPECT_EQ(layer_bytes(testing::phi_1_5(), Precision::kBFloat16), per_token(2048, 14, 10, 1, 32));
  EXPECT_EQ(layer_bytes(testing::bert_large(), Precision::kBFloat16),
            per_token(1024, 16, 4, 2, 16));
  EXPECT_EQ(layer_bytes(testing::bert_large(), Precision::kFloat32), per_token(1024, 32, 8, 2, 16));
}

// BERT: norm inputs 8 h, four casts 8 h, q, k, v 6 h, output 2 h, MLP 4 f; 2 bytes per weight.
// GPT-2 on CUDA: 8 h, two casts 4 h, 6 h, 2 h; gelu_new 4 + 2 + 4 + 4 and the cast of its product.
TEST(TextModel, SavedBytesUnderAutocast) {
  const std::int64_t h = 1024;
  EXPECT_EQ(layer_bytes(testing::bert_large(), Precision::kAutocast),
            kTokens * (24 * h + 16 * h + 16 + 64) + 2 * 12 * h * h);
  const std::int64_t g = 768;
  EXPECT_EQ(layer_bytes(testing::gpt2(), Precision::kAutocast),
            kTokens * (20 * g + 64 * g + 16 + 48) + 2 * 12 * g * g);
}

ComputeOptions eager(Precision precision) {
  ComputeOptions options;
  options.precision = precision;
  options.attention = Attention::kEager;
  return options;
}

// Counted 60, 104 and 58, 129; under autocast 75, 149 (BERT).
TEST(TextModel, OperatorsOfEagerAttention) {
  const auto count = [](const ModelSpec& spec, Precision precision) {
    const auto g = build_model_graph(spec, {2, 128}, eager(precision));
    return std::pair{testing::dispatches(g.modules[1].forward),
                     testing::dispatches(g.modules[1].backward)};
  };
  EXPECT_EQ(count(testing::gpt2(), Precision::kBFloat16), std::pair(60, 104));
  EXPECT_EQ(count(testing::bert_large(), Precision::kBFloat16), std::pair(58, 129));
  EXPECT_EQ(count(testing::bert_large(), Precision::kAutocast), std::pair(75, 149));
}

// Against SDPA: no log-sum-exp (4 per head), the output's copy instead of the output, and per score
// bf16 2, with dropout 2 + 2 + 1; autocast 4 + 2 + 1; fp32 4 + 4 + 1. GPT-2 keeps copies of q, k, v
// where it kept their projection.
TEST(TextModel, EagerAttentionKeepsScores) {
  const auto more = [](const ModelSpec& spec, Precision precision) {
    const auto g = build_model_graph(spec, {2, 128}, eager(precision));
    return testing::saved_bytes(g.modules[1]) - layer_bytes(spec, precision) +
           kTokens * spec.heads * 4;
  };
  const auto dropping = [](ModelSpec spec) {
    spec.dropout.attention = 0.1;
    return spec;
  };
  const std::int64_t scores = 2 * 16 * 128 * 128;
  EXPECT_EQ(more(testing::bert_large(), Precision::kBFloat16), 2 * scores);
  EXPECT_EQ(more(dropping(testing::bert_large()), Precision::kBFloat16), 5 * scores);
  EXPECT_EQ(more(dropping(testing::bert_large()), Precision::kAutocast), 7 * scores);
  EXPECT_EQ(more(dropping(testing::bert_large()), Precision::kFloat32), 9 * scores);
  EXPECT_EQ(more(dropping(testing::gpt2()), Precision::kBFloat16), 5 * 2 * 12 * 128 * 128);
}

// Of 2 x 12 x 128 x 128 scores in bf16: written out, GPT-2 scales (2 + 2 bytes), masks with a sum
// and a selection (2 + 2 + 4) and normalizes (4 passes); fused, half are read and all written,
// backward half of two tensors. BERT masks none by causality.
TEST(TextModel, AFusedSoftmaxIsOneKernelEachWay) {
  const auto traffic = [](const ModelSpec& spec, bool backward) {
    ComputeOptions options = eager(Precision::kBFloat16);
    options.fused_softmax = true;
    const auto g = build_model_graph(spec, {2, 128}, options);
    std::int64_t bytes = 0;
    for (const Row& row : backward ? g.modules[1].backward : g.modules[1].forward) {
      if (row.name.find("scaled, masked softmax") == 0) bytes += row.kernel.bytes.value;
      EXPECT_EQ(row.name.find("scale scores"), std::string::npos);
    }
    return bytes;
  };
  const std::int64_t scores = 2 * 12 * 128 * 128 * 2;
  EXPECT_EQ(traffic(testing::gpt2(), false), scores * 3 / 2);
  EXPECT_EQ(traffic(testing::gpt2(), true), scores * 2);
  const std::int64_t all = 2 * 16 * 128 * 128 * 2;
  EXPECT_EQ(traffic(testing::bert_large(), false), all * 2);
  EXPECT_EQ(traffic(testing::bert_large(), true), all * 3);
}

TEST(TextModel, EagerAttentionIsBalanced) {
  for (const double p : {0.0, 0.1}) {
    for (const Precision precision :
         {Precision::kBFloat16, Precision::kAutocast, Precision::kFloat32}) {
      for (ModelSpec spec : {testing::gpt2(), testing::bert_large()}) {
        spec.dropout.attention = p;
        const auto g = build_model_graph(spec, {2, 128}, eager(precision));
        const Module& m = g.modules[1];
        std::vector<int> saves(m.saved.size());
        std::vector<int> drops(m.saved.size());
        for (const Row& r : m.forward) {
          for (const int i : r.saves) ++saves[static_cast<std::size_t>(i)];
        }
        for (const Row& r : m.backward) {
          for (const int i : r.drops) ++drops[static_cast<std::size_t>(i)];
        }
        EXPECT_EQ(saves, std::vector<int>(m.saved.size(), 1));
        EXPECT_EQ(drops, std::vector<int>(m.saved.size(), 1));
        EXPECT_DOUBLE_EQ(testing::gemm_flops(m.backward), 2 * testing::gemm_flops(m.forward));
      }
    }
  }
}

// What forward leaves of a checkpointed layer is its input: 2 h, in fp32 4 h; BERT's is saved by
// the norm before it. Autocast keeps its casts of the weights besides, as its cache does.
TEST(TextModel, ACheckpointedLayerKeepsItsInput) {
  const auto kept = [](const ModelSpec& spec, Precision precision) {
    ComputeOptions options;
    options.precision = precision;
    options.checkpointing = Checkpointing::kFull;
    const auto g = build_model_graph(spec, {2, 128}, options);
    const Module& layer = g.modules[1];
    std::int64_t sum = 0;
    for (const SavedTensor& s : layer.saved) {
      if (s.held == Held::kCheckpoint) sum += s.bytes.value;
    }
    return sum;
  };
  EXPECT_EQ(kept(testing::gpt2(), Precision::kBFloat16), kTokens * 2 * 768);
  EXPECT_EQ(kept(testing::pythia_1b(), Precision::kBFloat16), kTokens * 2 * 2048);
  EXPECT_EQ(kept(testing::phi_1_5(), Precision::kAutocast), kTokens * 4 * 2048);
  EXPECT_EQ(kept(testing::bert_large(), Precision::kFloat32), kTokens * 4 * 1024);
  EXPECT_EQ(kept(testing::bert_large(), Precision::kAutocast), kTokens * 4 * 1024);
}

// One byte per element after attention, after the MLP and after the embedding.
TEST(TextModel, DropoutKeepsItsMask) {
  auto spec = testing::gpt2();
  spec.dropout = {0.1, 0.1, 0.1, 0};
  EXPECT_EQ(layer_bytes(spec, Precision::kBFloat16),
            layer_bytes(testing::gpt2(), Precision::kBFloat16) + kTokens * 2 * 768);
  EXPECT_EQ(testing::saved_bytes(graph(spec, Precision::kBFloat16).modules[0]), kTokens * 768);
  expect_layer(spec, Precision::kBFloat16, 36 + 2, 83 + 2);
}

// GPT-2 returns logits of the head's type and takes log-softmax of them as they are.
TEST(TextModel, LogitsWithoutUpcast) {
  const auto gpt2 = graph(testing::gpt2(), Precision::kBFloat16);
  EXPECT_EQ(gpt2.output_bytes.value, kTokens * 50257 * 2);
  EXPECT_EQ(testing::saved_bytes(gpt2.modules.back()), (kTokens - 2) * 50257 * 2);
  EXPECT_EQ(graph(testing::phi_1_5(), Precision::kBFloat16).output_bytes.value,
            kTokens * 51200 * 4);
}

// Layers 12 h^2 per token; the head h V; BERT's pooler and classifier h (h + 2) per sequence, and
// its attention is not causal.
TEST(TextModel, ModelFlops) {
  const double layers = 12.0 * 768 * 768 * 12;
  EXPECT_DOUBLE_EQ(model_flops(testing::gpt2(), {2, 128}).value,
                   6 * 256 * (layers + 768.0 * 50257) + 6.0 * 256 * 128 * 768 * 12);
  EXPECT_DOUBLE_EQ(
      model_flops(testing::bert_large(), {2, 128}).value,
      6 * (256 * 12.0 * 1024 * 1024 * 24 + 2.0 * 1024 * 1026) + 12.0 * 256 * 128 * 1024 * 24);
}

TEST(TextModel, RowsAddUpToModelFlops) {
  for (const ModelSpec& spec :
       {testing::gpt2(), testing::pythia_1b(), testing::phi_1_5(), testing::bert_large()}) {
    const auto g = graph(spec, Precision::kAutocast);
    double flops = 0;
    for (const Module& m : g.modules) {
      flops += testing::gemm_flops(m.forward) + testing::gemm_flops(m.backward);
      for (const Row& r : m.forward) {
        if (r.kernel.kind == schedule::KernelKind::kAttention) flops += 3 * r.kernel.flops.value;
      }
    }
    EXPECT_DOUBLE_EQ(g.flops_per_step.value, flops) << spec.name;
  }
}

}  // namespace
}  // namespace heddle::model
