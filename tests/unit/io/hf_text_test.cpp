#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sim/io/scenario_reader.h"
#include "sim/model/batch_check.h"
#include "sim/model/model_graph.h"

namespace heddle::io {
namespace {

constexpr char kGpt2[] = R"({"model_type": "gpt2", "n_embd": 64, "n_layer": 2, "n_head": 4,
  "n_positions": 32, "vocab_size": 100})";
constexpr char kNeox[] = R"({"model_type": "gpt_neox", "hidden_size": 2048, "num_hidden_layers": 16,
  "num_attention_heads": 8, "intermediate_size": 8192, "vocab_size": 50304, "hidden_act": "gelu",
  "rotary_pct": 0.25})";
constexpr char kPhi[] = R"({"model_type": "phi", "hidden_size": 64, "num_hidden_layers": 2,
  "num_attention_heads": 4, "intermediate_size": 256, "vocab_size": 100})";
constexpr char kBert[] = R"({"model_type": "bert", "hidden_size": 64, "num_hidden_layers": 2,
  "num_attention_heads": 4, "intermediate_size": 256, "vocab_size": 100,
  "max_position_embeddings": 32})";

std::string with(const std::string& text, const std::string& entry) {
  return text.substr(0, text.size() - 1) + ", " + entry + "}";
}

model::ModelSpec read(const std::string& text) {
  Diagnostics out;
  const auto spec = read_hf_config(text, "config.json", "m", out);
  EXPECT_TRUE(spec) << text;
  return spec.value_or(model::ModelSpec{});
}

void expect_error(const std::string& text, const std::string& code, const std::string& pointer) {
  Diagnostics out;
  EXPECT_FALSE(read_hf_config(text, "config.json", "m", out)) << text;
  EXPECT_EQ(out.error_count(), 1) << text;
  EXPECT_TRUE(std::any_of(out.all().begin(), out.all().end(),
                          [&](const Diagnostic& d) {
                            return d.code == code && d.pointer == pointer && !d.hint.empty();
                          }))
      << code << " at " << pointer;
}

std::int64_t parameters(const std::string& text) {
  return model::build_model_graph(read(text), {1, 16}, model::Precision::kBFloat16).param_count();
}

TEST(HfText, Gpt2TakesDefaultsOfTransformers) {
  const auto spec = read(kGpt2);
  EXPECT_EQ(spec.text_kind, model::TextKind::kGpt2);
  EXPECT_EQ(spec.ffn, 256);
  EXPECT_EQ(spec.activation, model::Activation::kGeluNew);
  EXPECT_TRUE(spec.tied_embeddings);
  EXPECT_FALSE(spec.fp32_logits);
  EXPECT_DOUBLE_EQ(spec.dropout.embedding, 0.1);
  EXPECT_DOUBLE_EQ(spec.dropout.hidden, 0.1);
  EXPECT_DOUBLE_EQ(spec.dropout.attention, 0.1);
  EXPECT_TRUE(std::any_of(spec.derived.begin(), spec.derived.end(),
                          [](const auto& d) { return d.field == "n_inner" && d.value == "256"; }));
  EXPECT_EQ(read(with(kGpt2, "\"n_inner\": 128")).ffn, 128);
  EXPECT_EQ(read(with(kGpt2, "\"activation_function\": \"gelu\"")).activation,
            model::Activation::kGelu);
}

// Pythia 1B: 2 x 50304 x 2048 + 16 (12 x 2048^2 + 13 x 2048) + 2 x 2048, as published.
TEST(HfText, NeoxHasItsPublishedSize) {
  EXPECT_EQ(parameters(kNeox), 1'011'781'632);
  const auto spec = read(kNeox);
  EXPECT_EQ(spec.rotary_dim, 64);
  EXPECT_TRUE(spec.parallel_residual);
  EXPECT_FALSE(read(with(kNeox, "\"use_parallel_residual\": false")).parallel_residual);
  // Without biases of attention: 4 h fewer per layer.
  EXPECT_EQ(parameters(with(kNeox, "\"attention_bias\": false")), 1'011'781'632 - 16 * 4 * 2048);
}

TEST(HfText, PhiRotatesHalfOfAHead) {
  const auto spec = read(kPhi);
  EXPECT_EQ(spec.rotary_dim, 8);
  EXPECT_EQ(spec.activation, model::Activation::kGeluNew);
  EXPECT_TRUE(spec.fp32_logits);
  EXPECT_EQ(read(with(kPhi, "\"partial_rotary_factor\": 0.25")).rotary_dim, 4);
}

TEST(HfText, BertIsASequenceClassifier) {
  const auto spec = read(kBert);
  EXPECT_EQ(spec.family, model::Family::kEncoder);
  EXPECT_EQ(spec.classes, 2);
  EXPECT_EQ(spec.token_types, 2);
  EXPECT_DOUBLE_EQ(spec.dropout.classifier, 0.1);
  EXPECT_EQ(read(with(kBert, R"("id2label": {"0": "a", "1": "b", "2": "c"})")).classes, 3);
  EXPECT_EQ(model::batch_problem(spec, {1, 32}), "");
  EXPECT_NE(model::batch_problem(spec, {1, 33}), "");
}

// llm-foundry's benchmark tables print these for models with biases and a table of positions.
constexpr char kMpt13b[] = R"({"model_type": "mpt", "d_model": 5120, "n_layers": 40, "n_heads": 40,
  "max_seq_len": 8192, "vocab_size": 50368})";
constexpr char kMpt70b[] = R"({"model_type": "mpt", "d_model": 8192, "n_layers": 80, "n_heads": 64,
  "max_seq_len": 2048, "vocab_size": 50368, "attn_config": {"attn_impl": "flash"}})";
// mosaicml/mpt-7b as published.
constexpr char kMpt7b[] = R"({"model_type": "mpt", "d_model": 4096, "n_layers": 32, "n_heads": 32,
  "max_seq_len": 2048, "vocab_size": 50432, "expansion_ratio": 4, "no_bias": true,
  "norm_type": "low_precision_layernorm", "attn_config": {"alibi": true, "clip_qkv": null}})";

TEST(HfText, MptHasItsPublishedSizes) {
  EXPECT_EQ(parameters(kMpt13b), 12'885'411'840);
  EXPECT_EQ(parameters(kMpt70b), 64'862'437'376);
  EXPECT_EQ(parameters(kMpt7b), 6'649'286'656);
  const auto spec = read(kMpt7b);
  EXPECT_EQ(spec.positions, 0);
  EXPECT_EQ(spec.ffn, 4 * 4096);
  EXPECT_TRUE(spec.tied_embeddings);
}

TEST(HfText, MptRefusesWhatItDoesNotLayOut) {
  const auto attention = [](const std::string& entry) {
    return with(kMpt13b, "\"attn_config\": {" + entry + "}");
  };
  expect_error(attention("\"clip_qkv\": 8"), "unsupported-model", "/attn_config/clip_qkv");
  expect_error(attention("\"qk_ln\": true"), "unsupported-model", "/attn_config/qk_ln");
  expect_error(attention("\"attn_impl\": \"torch\""), "unsupported-model",
               "/attn_config/attn_impl");
  expect_error(with(kMpt13b, "\"norm_type\": \"rmsnorm\""), "unsupported-model", "/norm_type");
  expect_error(with(kMpt13b, "\"ffn_config\": {}"), "unsupported-model", "/ffn_config");
}

constexpr char kQwen3[] = R"({"model_type": "qwen3", "hidden_size": 4096, "num_hidden_layers": 36,
  "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 12288,
  "vocab_size": 151936, "hidden_act": "silu", "use_sliding_window": false, "sliding_window": null})";
constexpr char kGemma[] = R"({"model_type": "gemma", "hidden_size": 2048, "num_hidden_layers": 18,
  "num_attention_heads": 8, "num_key_value_heads": 1, "intermediate_size": 16384,
  "vocab_size": 256000})";
constexpr char kQwen2[] = R"({"model_type": "qwen2", "hidden_size": 64, "num_hidden_layers": 2,
  "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 256, "vocab_size": 100,
  "hidden_act": "silu"})";

// Qwen3 8B as published; its norms of queries and keys have 2 x 128 elements per layer.
TEST(HfText, Qwen3NormalizesQueriesAndKeys) {
  const auto spec = read(kQwen3);
  EXPECT_TRUE(spec.qk_norm);
  EXPECT_FALSE(spec.qkv_bias);
  EXPECT_EQ(spec.head_dim, 128);
  EXPECT_EQ(spec.sliding_window, 0);
  EXPECT_EQ(parameters(kQwen3), 8'190'735'360);
}

TEST(HfText, GemmaTakesDefaultsOfTransformers) {
  const auto spec = read(kGemma);
  EXPECT_EQ(spec.head_dim, 256);
  EXPECT_TRUE(spec.tied_embeddings);
  EXPECT_TRUE(spec.offset_norm);
  EXPECT_TRUE(spec.scaled_embedding);
  EXPECT_EQ(spec.activation, model::Activation::kGelu);
  EXPECT_EQ(parameters(kGemma), 2'506'172'416);
}

// 12 vectors: of each layer's q 64, k 32 and v 32.
TEST(HfText, Qwen2HasBiasesOfItsProjections) {
  const auto spec = read(kQwen2);
  EXPECT_TRUE(spec.qkv_bias);
  std::string llama = kQwen2;
  llama.replace(llama.find("qwen2"), 5, "llama");
  EXPECT_EQ(parameters(kQwen2), parameters(llama) + 2 * 128);
}

TEST(HfText, WhatIsNotModelledIsRefused) {
  const auto refused = [](const std::string& text, const std::string& key,
                          const std::string& value) {
    expect_error(with(text, "\"" + key + "\": " + value), "unsupported-model", "/" + key);
  };
  refused(kGpt2, "reorder_and_upcast_attn", "true");
  refused(kGpt2, "scale_attn_by_inverse_layer_idx", "true");
  refused(kGpt2, "add_cross_attention", "true");
  refused(kGpt2, "activation_function", "\"relu\"");
  refused(kPhi, "qk_layernorm", "true");
  refused(kPhi, "num_key_value_heads", "2");
  refused(kPhi, "tie_word_embeddings", "true");
  refused(kPhi, "hidden_act", "\"silu\"");
  refused(kQwen2, "use_sliding_window", "true");
  refused(kQwen3, "attention_bias", "true");
  refused(kGemma, "hidden_activation", "\"silu\"");
  refused(kBert, "is_decoder", "true");
  refused(kBert, "position_embedding_type", "\"relative_key\"");
  expect_error(with(kBert, "\"architectures\": [\"BertForMaskedLM\"]"), "unsupported-model",
               "/architectures/0");
}

TEST(HfText, ImplausibleValues) {
  expect_error(with(kPhi, "\"partial_rotary_factor\": 0.1"), "implausible-model",
               "/partial_rotary_factor");
  expect_error(with(kPhi, "\"resid_pdrop\": 1.5"), "out-of-range", "/resid_pdrop");
  expect_error(with(kBert, "\"num_labels\": 1"), "out-of-range", "/num_labels");
  expect_error(with(kBert, "\"problem_type\": \"regression\""), "implausible-model",
               "/problem_type");
}

}  // namespace
}  // namespace heddle::io
