#include "sim/io/hf_mpt.h"

#include <fmt/format.h>

#include <optional>

#include "sim/io/hf_limits.h"

namespace heddle::io {
namespace {

constexpr char kOrigin[] = "default of llm-foundry";

void read_shape(HfFields& fields, model::ModelSpec& spec) {
  constexpr std::int64_t kWider = 4;
  constexpr std::int64_t kWidest = 64;
  spec.hidden = fields.integer("d_model", 1, kMaxWidth);
  spec.layers = fields.integer("n_layers", 1, kMaxLayers);
  spec.heads = fields.integer("n_heads", 1, kMaxHeads);
  spec.vocab = fields.integer("vocab_size", 2, kMaxVocabulary);
  spec.ffn = spec.hidden * fields.integer_or("expansion_ratio", 1, kWidest, kWider, kOrigin);
  spec.kv_heads = spec.heads;
  if (spec.heads == 0) return;
  spec.head_dim = spec.hidden / spec.heads;
  if (spec.head_dim * spec.heads != spec.hidden) {
    fields.inconsistent("n_heads",
                        fmt::format("{} heads do not divide d_model {}", spec.heads, spec.hidden));
  }
}

/// Whether attention takes a bias per distance (ALiBi) instead of a position table.
bool read_attention(HfFields& fields, model::ModelSpec& spec) {
  const std::optional<Value> config = fields.present("attn_config");
  if (!config) return false;
  ObjectReader object(*config, fields.diagnostics());
  HfFields attention(object, spec, fields.diagnostics());
  attention.choice_or_first("attn_type", {"multihead_attention"},
                            "shared keys and values are modelled for Llama's relatives only",
                            kOrigin);
  attention.choice_or_first("attn_impl", {"triton", "flash"},
                            "scores that are written out are not modelled for MPT", kOrigin);
  attention.only("qk_ln", false, "norms of queries and keys are not modelled for MPT");
  attention.only("prefix_lm", false, "prefix attention is not modelled");
  attention.only("attn_uses_sequence_id", false, "packed sequences are not modelled");
  attention.only("rope", false, "rotary positions are not modelled for MPT");
  attention.refuse("clip_qkv", "clamped queries, keys and values save more tensors",
                   "set it to null");
  spec.dropout.attention = attention.number_or("attn_pdrop", 0, 1, 0, kOrigin);
  return attention.flag_or("alibi", false, kOrigin);
}

}  // namespace

void read_hf_mpt(HfFields& fields, model::ModelSpec& spec) {
  spec.family = model::Family::kDecoder;
  spec.text_kind = model::TextKind::kMpt;
  spec.activation = model::Activation::kGelu;
  spec.fp32_logits = false;
  read_shape(fields, spec);
  const bool alibi = read_attention(fields, spec);
  const bool learned = !alibi && fields.flag_or("learned_pos_emb", true, kOrigin);
  const std::int64_t length = fields.integer("max_seq_len", 1, kMaxWindow);
  spec.positions = learned ? length : 0;
  spec.biases = !fields.flag_or("no_bias", false, kOrigin);
  spec.qkv_bias = spec.biases;
  spec.tied_embeddings = true;
  fields.only("tie_word_embeddings", true, "MPT's head is its embedding's table");
  fields.choice_or_first("norm_type", {"low_precision_layernorm", "layernorm"},
                         "other norms save other tensors", kOrigin);
  fields.refuse("ffn_config", "other feed-forward layers are not modelled for MPT",
                "leave the key out");
  spec.dropout.embedding = fields.number_or("emb_pdrop", 0, 1, 0, kOrigin);
  spec.dropout.hidden = fields.number_or("resid_pdrop", 0, 1, 0, kOrigin);
}

}  // namespace heddle::io
