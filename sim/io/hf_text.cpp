#include "sim/io/hf_text.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/io/hf_limits.h"
#include "sim/io/hf_rope.h"

namespace heddle::io {
namespace {

/// What the model types call the same things.
struct Names {
  std::string_view hidden = "hidden_size";
  std::string_view layers = "num_hidden_layers";
  std::string_view heads = "num_attention_heads";
  std::string_view activation = "hidden_act";
  std::string_view embedding_dropout = "embd_pdrop";
  std::string_view hidden_dropout = "resid_pdrop";
  std::string_view attention_dropout = "attention_dropout";
};

Names names_of(std::string_view type) {
  Names names;
  if (type == "gpt2") {
    names = {.hidden = "n_embd",
             .layers = "n_layer",
             .heads = "n_head",
             .activation = "activation_function",
             .attention_dropout = "attn_pdrop"};
  } else if (type == "gpt_neox") {
    names.embedding_dropout = names.hidden_dropout = "hidden_dropout";
  } else if (type == "bert") {
    names.embedding_dropout = names.hidden_dropout = "hidden_dropout_prob";
    names.attention_dropout = "attention_probs_dropout_prob";
  }
  return names;
}

/// "gelu_new" is the default of GPT-2 and phi, "gelu" that of the others.
model::Activation activation(std::string_view key, bool new_first, HfFields& fields,
                             const std::string& origin) {
  std::vector<std::string> known{"gelu", "gelu_new"};
  if (new_first) std::swap(known[0], known[1]);
  constexpr char kReason[] = "other activations save other tensors";
  const std::string name = known[fields.choice_or_first(key, known, kReason, origin)];
  return name == "gelu" ? model::Activation::kGelu : model::Activation::kGeluNew;
}

void read_dropout(const Names& names, double usual, HfFields& fields, model::ModelSpec& spec,
                  const std::string& origin) {
  spec.dropout.hidden = fields.number_or(names.hidden_dropout, 0, 1, usual, origin);
  spec.dropout.embedding = names.embedding_dropout == names.hidden_dropout
                               ? spec.dropout.hidden
                               : fields.number_or(names.embedding_dropout, 0, 1, usual, origin);
  spec.dropout.attention = fields.number_or(names.attention_dropout, 0, 1, usual, origin);
}

void read_shape(const Names& names, HfFields& fields, model::ModelSpec& spec) {
  spec.hidden = fields.integer(names.hidden, 1, kMaxWidth);
  spec.layers = fields.integer(names.layers, 1, kMaxLayers);
  spec.heads = fields.integer(names.heads, 1, kMaxHeads);
  spec.vocab = fields.integer("vocab_size", 2, kMaxVocabulary);
  spec.kv_heads = spec.heads;
  if (spec.heads == 0) return;
  spec.head_dim = spec.hidden / spec.heads;
  if (spec.head_dim * spec.heads != spec.hidden) {
    fields.inconsistent(names.heads, fmt::format("{} heads do not divide {} {}", spec.heads,
                                                 names.hidden, spec.hidden));
  }
}

void read_rotary(std::string_view key, double usual, HfFields& fields, model::ModelSpec& spec,
                 const std::string& origin) {
  const double share = fields.number_or(key, 0.01, 1, usual, origin);
  spec.rotary_dim = static_cast<std::int64_t>(static_cast<double>(spec.head_dim) * share);
  if (spec.head_dim > 0 && (spec.rotary_dim < 2 || spec.rotary_dim % 2 != 0)) {
    fields.inconsistent(key, fmt::format("{} of {} elements per head are rotated: an even number "
                                         "of at least 2 is needed",
                                         spec.rotary_dim, spec.head_dim));
  }
  check_rope_scaling(fields);
}

void read_gpt2(HfFields& fields, model::ModelSpec& spec, const std::string& origin) {
  constexpr std::int64_t kWider = 4;
  spec.text_kind = model::TextKind::kGpt2;
  spec.ffn = fields.integer_or("n_inner", 1, kMaxWidth, kWider * spec.hidden, "4 x n_embd");
  spec.positions = fields.integer("n_positions", 1, kMaxWindow);
  spec.tied_embeddings = fields.flag_or("tie_word_embeddings", true, origin);
  spec.fp32_logits = false;
  constexpr char kReason[] = "attention is modelled as GPT-2 was published";
  fields.only("reorder_and_upcast_attn", false, kReason);
  fields.only("scale_attn_by_inverse_layer_idx", false, kReason);
  fields.only("add_cross_attention", false, "cross-attention is not modelled");
}

void read_neox(HfFields& fields, model::ModelSpec& spec, const std::string& origin) {
  constexpr double kRotated = 0.25;
  spec.text_kind = model::TextKind::kNeox;
  spec.ffn = fields.integer("intermediate_size", 1, kMaxWidth);
  spec.parallel_residual = fields.flag_or("use_parallel_residual", true, origin);
  spec.qkv_bias = fields.flag_or("attention_bias", true, origin);
  spec.tied_embeddings = fields.flag_or("tie_word_embeddings", false, origin);
  spec.fp32_logits = false;
  read_rotary("rotary_pct", kRotated, fields, spec, origin);
}

void read_phi(HfFields& fields, model::ModelSpec& spec, const std::string& origin) {
  constexpr double kRotated = 0.5;
  spec.text_kind = model::TextKind::kPhi;
  spec.ffn = fields.integer("intermediate_size", 1, kMaxWidth);
  spec.parallel_residual = true;
  fields.only("tie_word_embeddings", false, "phi's head has a bias and weights of its own");
  fields.only("qk_layernorm", false, "norms of queries and keys are not modelled");
  fields.only_number("num_key_value_heads", static_cast<double>(spec.heads),
                     "grouped keys and values are modelled for Llama's relatives only");
  read_rotary("partial_rotary_factor", kRotated, fields, spec, origin);
}

void read_labels(HfFields& fields, model::ModelSpec& spec, const std::string& origin) {
  constexpr std::int64_t kMinClasses = 2;  // one label means a regression loss
  constexpr std::int64_t kMaxClasses = 1 << 20;
  const std::optional<Value> labels = fields.present("id2label");
  fields.present("label2id");
  if (labels && !fields.present("num_labels")) {
    spec.classes = static_cast<std::int64_t>(labels->keys().size());
  } else {
    spec.classes = fields.integer_or("num_labels", kMinClasses, kMaxClasses, kMinClasses, origin);
  }
  const auto loss = fields.present("problem_type");
  const auto name = loss ? loss->as_string(fields.diagnostics()) : std::nullopt;
  if (name && *name != "single_label_classification") {
    fields.inconsistent("problem_type", fmt::format("the loss of \"{}\" is not modelled", *name),
                        "only single_label_classification is");
  }
}

void read_bert(HfFields& fields, model::ModelSpec& spec, const std::string& origin) {
  constexpr std::int64_t kTypes = 2;
  spec.family = model::Family::kEncoder;
  spec.text_kind = model::TextKind::kBert;
  spec.ffn = fields.integer("intermediate_size", 1, kMaxWidth);
  spec.positions = fields.integer("max_position_embeddings", 1, kMaxWindow);
  spec.token_types = fields.integer_or("type_vocab_size", 1, kMaxVocabulary, kTypes, origin);
  spec.dropout.classifier = fields.number_or("classifier_dropout", 0, 1, spec.dropout.hidden,
                                             "hidden_dropout_prob, as transformers does");
  read_labels(fields, spec, origin);
  fields.only("is_decoder", false, "BERT is modelled as an encoder");
  fields.only("add_cross_attention", false, "cross-attention is not modelled");
  fields.choice_or_first("position_embedding_type", {"absolute"},
                         "relative positions add products to attention", origin);
}

}  // namespace

bool is_hf_text(std::string_view model_type) {
  return model_type == "gpt2" || model_type == "gpt_neox" || model_type == "phi" ||
         model_type == "bert";
}

void read_hf_text(std::string_view model_type, HfFields& fields, model::ModelSpec& spec) {
  constexpr double kUsualDropout = 0.1;
  const Names names = names_of(model_type);
  const std::string origin = fmt::format("default of transformers for {}", model_type);
  const bool older = model_type == "gpt2" || model_type == "bert";
  const bool gelu_new = model_type == "gpt2" || model_type == "phi";
  spec.family = model::Family::kDecoder;
  spec.qkv_bias = true;
  read_shape(names, fields, spec);
  spec.activation = activation(names.activation, gelu_new, fields, origin);
  read_dropout(names, older ? kUsualDropout : 0.0, fields, spec, origin);
  if (model_type == "gpt2") {
    read_gpt2(fields, spec, origin);
  } else if (model_type == "gpt_neox") {
    read_neox(fields, spec, origin);
  } else if (model_type == "phi") {
    read_phi(fields, spec, origin);
  } else {
    read_bert(fields, spec, origin);
  }
}

}  // namespace heddle::io
