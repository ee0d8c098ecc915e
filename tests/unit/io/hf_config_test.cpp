#include "sim/io/hf_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "sim/io/scenario_reader.h"
#include "sim/model/model_graph.h"

namespace heddle::io {
namespace {

std::string shipped(const std::string& name) {
  std::ifstream file(std::string(HEDDLE_SOURCE_DIR) + "/scenarios/models/" + name + "/config.json");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

const Diagnostic* find(const Diagnostics& all, const std::string& code,
                       const std::string& pointer) {
  const auto it = std::find_if(all.all().begin(), all.all().end(), [&](const Diagnostic& d) {
    return d.code == code && d.pointer == pointer;
  });
  return it == all.all().end() ? nullptr : &*it;
}

/// Expects exactly one error, of `code` at `pointer`.
void expect_error(const std::string& text, const std::string& code, const std::string& pointer) {
  Diagnostics out;
  EXPECT_FALSE(read_hf_config(text, "config.json", "m", out).has_value());
  EXPECT_EQ(out.error_count(), 1) << text;
  EXPECT_NE(find(out, code, pointer), nullptr) << code << " at " << pointer;
}

std::int64_t parameters(const model::ModelSpec& spec) {
  return model::build_model_graph(spec, {1, 16}, model::Precision::kBFloat16).param_count();
}

// Llama: 32 x 218,112,000 + 2 x 128256 x 4096 + 4096 = 8,030,261,248, the published count. The two
// of Stability AI by hand, 2 V h + L (12 h^2 + 13 h) + 2 h: their cards give other numbers than the
// dimensions of their configs.
TEST(HfConfig, ShippedModelsHaveTheirPublishedSize) {
  const std::pair<const char*, std::int64_t> expected[] = {{"mistral-7b", 7'241'732'096},
                                                           {"llama-3.1-8b", 8'030'261'248},
                                                           {"llama-2-7b", 6'738'415'616},
                                                           {"llama-2-13b", 13'015'864'320},
                                                           {"llama-3.2-3b", 3'212'749'824},
                                                           {"llama-3.1-70b", 70'553'706'496},
                                                           {"qwen2.5-7b", 7'615'616'512},
                                                           {"gemma-1.1-2b", 2'506'172'416},
                                                           {"gpt2", 124'439'808},
                                                           {"bert-large", 335'143'938},
                                                           {"phi-1.5", 1'418'270'720},
                                                           {"stablelm-alpha-3b", 3'637'321'728},
                                                           {"stablecode-alpha-3b", 2'769'310'720},
                                                           {"vit-base-16", 86'567'656},
                                                           {"dinov2-base", 86'735'717},
                                                           {"dinov2-large", 304'575'589}};
  for (const auto& [name, count] : expected) {
    Diagnostics out;
    const auto spec = read_hf_config(shipped(name), "config.json", name, out);
    ASSERT_TRUE(spec) << name;
    EXPECT_EQ(parameters(*spec), count) << name;
    EXPECT_EQ(spec->name, name);
  }
}

TEST(HfConfig, DerivedValuesSayFromWhat) {
  Diagnostics out;
  std::string text = replaced(shipped("llama-3.1-8b"), "\"num_key_value_heads\": 8,", "");
  const auto spec = read_hf_config(text, "config.json", "m", out);
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->kv_heads, 32);
  EXPECT_EQ(spec->head_dim, 128);
  ASSERT_EQ(spec->derived.size(), 2U);
  EXPECT_EQ(spec->derived[0].field, "num_key_value_heads");
  EXPECT_EQ(spec->derived[1].field, "head_dim");
  EXPECT_EQ(spec->derived[1].value, "128");
  EXPECT_EQ(spec->derived[1].origin, "hidden_size / num_attention_heads");
}

TEST(HfConfig, UnusedKeysAreOneNote) {
  Diagnostics out;
  ASSERT_TRUE(read_hf_config(shipped("mistral-7b"), "config.json", "m", out));
  ASSERT_EQ(out.all().size(), 1U);
  EXPECT_EQ(out.all()[0].severity, Severity::kNote);
  EXPECT_NE(out.all()[0].message.find("rope_theta"), std::string::npos);
}

TEST(HfConfig, AllProblemsAtOnce) {
  Diagnostics out;
  std::string text = replaced(shipped("mistral-7b"), "\"vocab_size\": 32000,", "");
  text = replaced(text, "\"hidden_size\": 4096", "\"hidden_size\": -4096");
  text = replaced(text, "\"num_hidden_layers\": 32", "\"num_hidden_layers\": \"32\"");
  EXPECT_FALSE(read_hf_config(text, "config.json", "m", out));
  EXPECT_NE(find(out, "missing-key", ""), nullptr);
  const Diagnostic* hidden = find(out, "out-of-range", "/hidden_size");
  ASSERT_NE(hidden, nullptr);
  EXPECT_EQ(hidden->line, 4);
  EXPECT_NE(find(out, "wrong-type", "/num_hidden_layers"), nullptr);
  EXPECT_EQ(out.error_count(), 3);
}

TEST(HfConfig, AMissingFieldIsReportedOnce) {
  expect_error(replaced(shipped("llama-3.1-8b"), "\"num_attention_heads\": 32,", ""), "missing-key",
               "");
  expect_error(replaced(shipped("dinov2-base"), "\"num_attention_heads\": 12,", ""), "missing-key",
               "");
}

TEST(HfConfig, UnsupportedArchitectureListsTheSupported) {
  Diagnostics out;
  EXPECT_FALSE(read_hf_config(R"({"model_type": "mixtral"})", "config.json", "m", out));
  const Diagnostic* d = find(out, "unsupported-model", "/model_type");
  ASSERT_NE(d, nullptr);
  EXPECT_NE(d->hint.find("mistral"), std::string::npos);
  EXPECT_EQ(d->file, "config.json");
}

// transformers' MistralConfig gives 4096 to a missing window, and LlamaConfig has none.
TEST(HfConfig, MissingWindowIsMistralsDefaultAndNullIsNone) {
  Diagnostics out;
  const std::string key = "\"sliding_window\": 4096";
  const auto absent =
      read_hf_config(replaced(shipped("mistral-7b"), key + ",", ""), "config.json", "m", out);
  ASSERT_TRUE(absent);
  EXPECT_EQ(absent->sliding_window, 4096);
  const auto& derived = absent->derived;
  EXPECT_TRUE(std::any_of(derived.begin(), derived.end(),
                          [](const auto& d) { return d.field == "sliding_window"; }));
  const std::string null = replaced(shipped("mistral-7b"), key, "\"sliding_window\": null");
  EXPECT_EQ(read_hf_config(null, "config.json", "m", out).value().sliding_window, 0);
  const auto llama = read_hf_config(shipped("llama-3.1-8b"), "config.json", "m", out);
  EXPECT_EQ(llama.value().sliding_window, 0);
}

TEST(HfConfig, ModelTypeAndArchitectureBelongTogether) {
  const std::string mistral = shipped("mistral-7b");
  expect_error(replaced(mistral, "\"MistralForCausalLM\"", "\"LlamaForCausalLM\""),
               "unsupported-model", "/architectures/0");
  expect_error(replaced(mistral, "\"MistralForCausalLM\"", ""), "unsupported-model",
               "/architectures");
}

TEST(HfConfig, KeysOfRelativesAreRefusedWithAHint) {
  const std::pair<const char*, const char*> keys[] = {{"auto_map", "{}"},
                                                      {"vision_config", "{}"},
                                                      {"num_nextn_predict_layers", "1"},
                                                      {"qk_norm", "true"},
                                                      {"attn_logit_softcapping", "50.0"},
                                                      {"final_logit_softcapping", "30.0"}};
  const std::string anchor = "\"pretraining_tp\": 1,";
  const auto with = [&](const std::string& key, const std::string& value) {
    return replaced(shipped("llama-3.1-8b"), anchor, "\"" + key + "\": " + value + ",");
  };
  for (const auto& [key, value] : keys) {
    const std::string pointer = std::string("/") + key;
    expect_error(with(key, value), "unsupported-model", pointer);
    Diagnostics out;
    read_hf_config(with(key, value), "config.json", "m", out);
    EXPECT_FALSE(find(out, "unsupported-model", pointer)->hint.empty()) << key;
  }
  expect_error(with("layer_types", R"(["full_attention", "sliding_attention"])"),
               "unsupported-model", "/layer_types/1");
  Diagnostics out;
  EXPECT_TRUE(read_hf_config(with("layer_types", R"(["full_attention"])"), "", "m", out));
}

TEST(HfConfig, KeysThatChangeADecoderAreRefused) {
  const std::string base = shipped("llama-3.1-8b");
  const std::string anchor = "\"pretraining_tp\": 1,";
  const auto with = [&](const std::string& key, const std::string& value) {
    expect_error(replaced(base, anchor, "\"" + key + "\": " + value + ","), "unsupported-model",
                 "/" + key);
  };
  with("quantization_config", "{\"bits\": 4}");
  with("num_local_experts", "8");
  with("pretraining_tp", "2");
  expect_error(replaced(base, "\"attention_bias\": false", "\"attention_bias\": true"),
               "unsupported-model", "/attention_bias");
  expect_error(replaced(base, "\"silu\"", "\"gelu\""), "unsupported-model", "/hidden_act");
  expect_error(replaced(base, "\"llama3\"", "\"dynamic\""), "unsupported-model",
               "/rope_scaling/rope_type");
}

TEST(HfConfig, KeysThatChangeDinov2AreRefused) {
  const std::string base = shipped("dinov2-base");
  expect_error(replaced(base, "\"use_swiglu_ffn\": false", "\"use_swiglu_ffn\": true"),
               "unsupported-model", "/use_swiglu_ffn");
  expect_error(replaced(base, "\"drop_path_rate\": 0.0", "\"drop_path_rate\": 0.1"),
               "unsupported-model", "/drop_path_rate");
  expect_error(replaced(base, "\"num_labels\": 101,", ""), "missing-key", "");
}

TEST(HfConfig, KeysThatChangeVitAreRefused) {
  const std::string base = shipped("vit-base-16");
  for (const std::string key : {"hidden_dropout_prob", "attention_probs_dropout_prob"}) {
    expect_error(replaced(base, "\"" + key + "\": 0.0", "\"" + key + "\": 0.1"),
                 "unsupported-model", "/" + key);
  }
  expect_error(replaced(base, "\"gelu\"", "\"gelu_new\""), "unsupported-model", "/hidden_act");
  expect_error(replaced(base, "\"intermediate_size\": 3072,", ""), "missing-key", "");
  expect_error(replaced(base, "ViTForImageClassification", "ViTForMaskedImageModeling"),
               "unsupported-model", "/architectures/0");
}

// Of large/16: 24 x (12 x 1024^2 + 13 x 1024) + 967 x 1024 + 2048 + 1,025,000.
TEST(HfConfig, VitLarge) {
  Diagnostics out;
  std::string text = replaced(shipped("vit-base-16"), "768", "1024");
  text = replaced(text, "\"num_hidden_layers\": 12", "\"num_hidden_layers\": 24");
  text = replaced(text, "\"num_attention_heads\": 12", "\"num_attention_heads\": 16");
  text = replaced(text, "3072", "4096");
  const auto spec = read_hf_config(text, "config.json", "m", out);
  ASSERT_TRUE(spec);
  EXPECT_EQ(parameters(*spec), 304'326'632);
}

TEST(HfConfig, QkvBias) {
  Diagnostics out;
  const std::string base = shipped("vit-base-16");
  const auto absent = read_hf_config(replaced(base, "\"qkv_bias\": true,", ""), "", "m", out);
  ASSERT_TRUE(absent);
  EXPECT_TRUE(absent->qkv_bias);
  EXPECT_EQ(absent->derived.front().field, "qkv_bias");
  const std::string without = replaced(base, "\"qkv_bias\": true", "\"qkv_bias\": false");
  const auto spec = read_hf_config(without, "", "m", out);
  ASSERT_TRUE(spec);
  EXPECT_EQ(parameters(*spec), 86'567'656 - 12 * 3 * 768);
}

TEST(HfConfig, ImplausibleDimensions) {
  expect_error(
      replaced(shipped("mistral-7b"), "\"num_key_value_heads\": 8", "\"num_key_value_heads\": 5"),
      "implausible-model", "/num_key_value_heads");
  expect_error(replaced(shipped("llama-3.1-8b"), "\"hidden_size\": 4096", "\"hidden_size\": 4100"),
               "implausible-model", "/num_attention_heads");
  expect_error(replaced(shipped("dinov2-base"), "\"image_size\": 518", "\"image_size\": 512"),
               "implausible-model", "/image_size");
}

TEST(HfConfig, LabelsMayComeAsAMap) {
  Diagnostics out;
  const std::string text = replaced(shipped("dinov2-base"), "\"num_labels\": 101",
                                    R"("id2label": {"0": "cat", "1": "dog"})");
  const auto spec = read_hf_config(text, "config.json", "m", out);
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->classes, 2);
}

TEST(HfConfig, OtherLossesThanClassificationAreRefused) {
  expect_error(replaced(shipped("dinov2-base"), "\"num_labels\": 101", "\"num_labels\": 1"),
               "out-of-range", "/num_labels");
  expect_error(replaced(shipped("dinov2-base"), "\"num_labels\": 101",
                        R"("num_labels": 101, "problem_type": "regression")"),
               "implausible-model", "/problem_type");
}

TEST(HfConfig, VitTrainsAtItsOwnImageSizeOnly) {
  Diagnostics out;
  auto spec = read_hf_config(shipped("vit-base-16"), "config.json", "m", out);
  ASSERT_TRUE(spec);
  EXPECT_EQ(set_training_image_size(*spec, 224, "the scenario"), "");
  const std::string problem = set_training_image_size(*spec, 384, "the scenario");
  EXPECT_NE(problem.find("interpolate_pos_encoding"), std::string::npos);
  EXPECT_EQ(spec->image_size, 224);
}

TEST(HfConfig, TrainingImageSize) {
  Diagnostics out;
  auto spec = read_hf_config(shipped("dinov2-base"), "config.json", "m", out);
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->image_size, 518);
  EXPECT_EQ(set_training_image_size(*spec, 224, "the scenario"), "");
  EXPECT_EQ(spec->image_size, 224);
  EXPECT_EQ(spec->position_image_size, 518);
  EXPECT_EQ(spec->derived.back().origin, "the scenario");
  EXPECT_NE(set_training_image_size(*spec, 225, "the scenario"), "");
}

}  // namespace
}  // namespace heddle::io
