#include "sim/io/hf_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "sim/io/hf_limits.h"
#include "sim/io/hf_rope.h"

namespace heddle::io {
namespace {

/// Defaults of transformers; 0: derived from the number of heads.
struct Defaults {
  std::string_view type;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  bool tied = false;
};

constexpr std::array<Defaults, 5> kDefaults{
    {{.type = "llama"},
     {.type = "mistral", .kv_heads = 8},
     {.type = "qwen2", .kv_heads = 32},
     {.type = "qwen3", .kv_heads = 32, .head_dim = 128},
     {.type = "gemma", .kv_heads = 16, .head_dim = 256, .tied = true}}};

const Defaults& defaults_of(std::string_view type) {
  return *std::find_if(kDefaults.begin(), kDefaults.end() - 1,
                       [&](const Defaults& known) { return known.type == type; });
}

/// Gemma's key is hidden_activation; hidden_act is ignored there.
void read_activation(std::string_view type, HfFields& fields, model::ModelSpec& spec,
                     const std::string& origin) {
  if (type != "gemma") {
    fields.only_text("hidden_act", "silu", "saved activations are those of SwiGLU");
    return;
  }
  spec.activation = model::Activation::kGelu;
  fields.present("hidden_act");
  fields.choice_or_first("hidden_activation", {"gelu_pytorch_tanh", "gelu"},
                         "saved activations are those of GeGLU", origin);
}

void refuse_variants(HfFields& fields) {
  fields.only("attention_bias", false, "projections are modelled without biases");
  fields.only("mlp_bias", false, "projections are modelled without biases");
  fields.only_number("attention_dropout", 0, "flash attention is modelled without dropout");
  fields.only_number("pretraining_tp", 1, "sliced projections are not modelled");
  fields.only_number("partial_rotary_factor", 1, "all of a head is rotated here");
  constexpr char kDense[] = "mixtures of experts are not modelled, only dense layers";
  for (const char* key : {"num_local_experts", "num_experts", "n_routed_experts"}) {
    fields.refuse(key, kDense, "give the config.json of a dense model");
  }
}

/// Keys of related architectures, whose layers hold or compute something else.
void refuse_relatives(HfFields& fields) {
  constexpr char kPlain[] = "give the config.json of a plain Llama or Mistral model";
  fields.only("qk_norm", false, "norms of queries and keys are not modelled");
  fields.only_number("num_nextn_predict_layers", 0, "multi-token prediction is not modelled");
  for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping"}) {
    fields.refuse(key, "capped logits save more activations", kPlain);
  }
  const std::optional<Value> layers = fields.present("layer_types");
  if (!layers) return;
  for (const Value& layer : layers->items(fields.diagnostics())) {
    const auto type = layer.as_string(fields.diagnostics());
    if (!type || *type == "full_attention") continue;
    layer.error("unsupported-model",
                fmt::format("layer type \"{}\" is not supported: all layers are alike here", *type),
                "supported: \"full_attention\"", fields.diagnostics());
    return;  // the other layers would only repeat it
  }
}

std::int64_t kv_heads(const Defaults& defaults, HfFields& fields, const model::ModelSpec& spec,
                      const std::string& origin) {
  constexpr std::string_view kKey = "num_key_value_heads";
  if (defaults.kv_heads > 0 && !fields.is_null(kKey)) {
    return fields.integer_or(kKey, 1, kMaxHeads, defaults.kv_heads, origin);
  }
  return fields.integer_or(kKey, 1, kMaxHeads, spec.heads,
                           "num_attention_heads, as transformers does");
}

/// 0 is none: null switches the window off, as in the published files, but absence does not.
std::int64_t sliding_window(std::string_view type, HfFields& fields) {
  constexpr std::int64_t kMistralDefault = 4096;
  if (type != "mistral" || fields.is_null("sliding_window")) return 0;
  return fields.integer_or("sliding_window", 1, kMaxWindow, kMistralDefault,
                           "default of transformers for mistral");
}

std::int64_t head_dim(const Defaults& defaults, HfFields& fields, const model::ModelSpec& spec,
                      const std::string& origin) {
  if (defaults.head_dim > 0) {
    return fields.integer_or("head_dim", 2, kMaxHeadDim, defaults.head_dim, origin);
  }
  const std::int64_t derived = spec.heads > 0 ? spec.hidden / spec.heads : 0;
  const std::int64_t dim =
      fields.integer_or("head_dim", 2, kMaxHeadDim, derived, "hidden_size / num_attention_heads");
  if (!fields.present("head_dim") && spec.heads > 0 && derived * spec.heads != spec.hidden) {
    fields.inconsistent(
        "num_attention_heads",
        fmt::format("{} heads do not divide hidden_size {}", spec.heads, spec.hidden),
        "give head_dim if the projections are not square");
  }
  return dim;
}

/// What sets the families apart.
void read_family(std::string_view type, HfFields& fields, model::ModelSpec& spec) {
  spec.qkv_bias = type == "qwen2";
  spec.qk_norm = type == "qwen3";
  spec.offset_norm = spec.scaled_embedding = type == "gemma";
  if (type != "qwen2" && type != "qwen3") return;
  fields.present("sliding_window");  // without use_sliding_window it has no meaning
  fields.only("use_sliding_window", false,
              "attention with an explicit mask in some of the layers is not modelled");
}

void check(HfFields& fields, const model::ModelSpec& spec) {
  if (spec.kv_heads > 0 && spec.heads % spec.kv_heads != 0) {
    fields.inconsistent(
        "num_key_value_heads",
        fmt::format("{} key/value heads do not divide {} heads", spec.kv_heads, spec.heads));
  }
  if (spec.head_dim % 2 != 0) {
    fields.inconsistent(
        "head_dim", fmt::format("rotary positions need an even head size, is {}", spec.head_dim));
  }
}

}  // namespace

void read_hf_decoder(std::string_view model_type, HfFields& fields, model::ModelSpec& spec) {
  spec.family = model::Family::kDecoder;
  spec.hidden = fields.integer("hidden_size", 1, kMaxWidth);
  spec.layers = fields.integer("num_hidden_layers", 1, kMaxLayers);
  spec.heads = fields.integer("num_attention_heads", 1, kMaxHeads);
  spec.ffn = fields.integer("intermediate_size", 1, kMaxWidth);
  spec.vocab = fields.integer("vocab_size", 2, kMaxVocabulary);
  const Defaults& defaults = defaults_of(model_type);
  const std::string origin = fmt::format("default of transformers for {}", model_type);
  spec.kv_heads = kv_heads(defaults, fields, spec, origin);
  spec.head_dim = head_dim(defaults, fields, spec, origin);
  spec.tied_embeddings = fields.flag_or("tie_word_embeddings", defaults.tied, origin);
  spec.sliding_window = sliding_window(model_type, fields);
  read_activation(model_type, fields, spec, origin);
  read_family(model_type, fields, spec);
  refuse_variants(fields);
  refuse_relatives(fields);
  check_rope_scaling(fields);
  check(fields, spec);
}

}  // namespace heddle::io
