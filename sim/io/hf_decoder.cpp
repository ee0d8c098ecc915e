#include "sim/io/hf_decoder.h"

#include <fmt/format.h>

#include "sim/io/hf_limits.h"
#include "sim/io/hf_rope.h"

namespace heddle::io {
namespace {

void refuse_variants(HfFields& fields) {
  fields.only_text("hidden_act", "silu", "saved activations are those of SwiGLU");
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

std::int64_t kv_heads(std::string_view type, HfFields& fields, const model::ModelSpec& spec) {
  constexpr std::int64_t kMistralDefault = 8;
  if (type == "mistral") {
    return fields.integer_or("num_key_value_heads", 1, kMaxHeads, kMistralDefault,
                             "default of transformers for mistral");
  }
  return fields.integer_or("num_key_value_heads", 1, kMaxHeads, spec.heads,
                           "num_attention_heads, as transformers does for llama");
}

/// 0 is none: null switches the window off, as in the published files, but absence does not.
std::int64_t sliding_window(std::string_view type, HfFields& fields) {
  constexpr std::int64_t kMistralDefault = 4096;
  if (type != "mistral" || fields.is_null("sliding_window")) return 0;
  return fields.integer_or("sliding_window", 1, kMaxWindow, kMistralDefault,
                           "default of transformers for mistral");
}

std::int64_t head_dim(HfFields& fields, const model::ModelSpec& spec) {
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
  spec.kv_heads = kv_heads(model_type, fields, spec);
  spec.head_dim = head_dim(fields, spec);
  const std::string origin = fmt::format("default of transformers for {}", model_type);
  spec.tied_embeddings = fields.flag_or("tie_word_embeddings", false, origin);
  spec.sliding_window = sliding_window(model_type, fields);
  refuse_variants(fields);
  refuse_relatives(fields);
  check_rope_scaling(fields);
  check(fields, spec);
}

}  // namespace heddle::io
