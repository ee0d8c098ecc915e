#include "sim/model/text_layout.h"

#include "sim/base/check.h"

namespace heddle::model {
namespace {

using Part = TextPart;

// Split, and view and permute of q, k and v; backward concatenates their gradients.
constexpr TextLayout kGpt2{.norm1 = "ln_1",
                           .norm2 = "ln_2",
                           .qkv = {"attn.c_attn", nullptr, nullptr},
                           .out = "attn.c_proj",
                           .fc1 = "mlp.c_fc",
                           .fc2 = "mlp.c_proj",
                           .order = {Part::kNorm1, Part::kAttention, Part::kNorm2, Part::kMlp},
                           .transposed = true,
                           .post_norm = false,
                           .split_ops = 7,
                           .split_backward_ops = 7,
                           .split_backward_kernels = 1,
                           .modules = 13,
                           .words = "wte",
                           .positions = "wpe",
                           .token_types = nullptr,
                           .norm = "ln_f",
                           .head = "lm_head",
                           .head_bias = false,
                           .embedding_ops = 10,
                           .head_slices = 0,
                           .head_views = 1};

// View; slice and permute of q, k, v; 4 slices, 2 views of the tables, twice 7 to rotate, 2
// concatenations. Backward fills a tensor of q, k and v for each of them and adds the three.
constexpr TextLayout kNeox{.norm1 = "input_layernorm",
                           .norm2 = "post_attention_layernorm",
                           .qkv = {"attention.query_key_value", nullptr, nullptr},
                           .out = "attention.dense",
                           .fc1 = "mlp.dense_h_to_4h",
                           .fc2 = "mlp.dense_4h_to_h",
                           .order = {Part::kNorm1, Part::kNorm2, Part::kAttention, Part::kMlp},
                           .transposed = false,
                           .post_norm = false,
                           .split_ops = 29,
                           .split_backward_ops = 37,
                           .split_backward_kernels = 36,
                           .modules = 14,
                           .words = "embed_in",
                           .positions = nullptr,
                           .token_types = nullptr,
                           .norm = "final_layer_norm",
                           .head = "embed_out",
                           .head_bias = false,
                           .embedding_ops = 6,
                           .head_slices = 0,
                           .head_views = 0};

constexpr TextLayout kPhi{.norm1 = "input_layernorm",
                          .norm2 = nullptr,
                          .qkv = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"},
                          .out = "self_attn.dense",
                          .fc1 = "mlp.fc1",
                          .fc2 = "mlp.fc2",
                          .order = {Part::kAttention, Part::kMlp, Part::kNorm1, Part::kNorm2},
                          .transposed = false,
                          .post_norm = false,
                          .split_ops = 28,
                          .split_backward_ops = 36,
                          .split_backward_kernels = 30,
                          .modules = 13,
                          .words = "embed_tokens",
                          .positions = nullptr,
                          .token_types = nullptr,
                          .norm = "final_layernorm",
                          .head = "lm_head",
                          .head_bias = true,
                          .embedding_ops = 6,
                          .head_slices = 3,
                          .head_views = 0};

constexpr TextLayout kBert{
    .norm1 = "attention.output.LayerNorm",
    .norm2 = "output.LayerNorm",
    .qkv = {"attention.self.query", "attention.self.key", "attention.self.value"},
    .out = "attention.output.dense",
    .fc1 = "intermediate.dense",
    .fc2 = "output.dense",
    .order = {Part::kAttention, Part::kNorm1, Part::kMlp, Part::kNorm2},
    .transposed = false,
    .post_norm = true,
    .split_ops = 6,
    .split_backward_ops = 6,
    .split_backward_kernels = 0,
    .modules = 18,
    .words = "word_embeddings",
    .positions = "position_embeddings",
    .token_types = "token_type_embeddings",
    .norm = "LayerNorm",
    .head = "classifier",
    .head_bias = true,
    .embedding_ops = 10,
    .head_slices = 2,
    .head_views = 0};

// llm-foundry 0.4: three chunks of Wqkv's output and as many views into heads; backward
// concatenates. The head is a product with the table of the embedding.
constexpr TextLayout kMpt{.norm1 = "norm_1",
                          .norm2 = "norm_2",
                          .qkv = {"attn.Wqkv", nullptr, nullptr},
                          .out = "attn.out_proj",
                          .fc1 = "ffn.up_proj",
                          .fc2 = "ffn.down_proj",
                          .order = {Part::kNorm1, Part::kAttention, Part::kNorm2, Part::kMlp},
                          .transposed = false,
                          .post_norm = false,
                          .split_ops = 6,
                          .split_backward_ops = 7,
                          .split_backward_kernels = 1,
                          .modules = 13,
                          .words = "wte",
                          .positions = "wpe",
                          .token_types = nullptr,
                          .norm = "norm_f",
                          .head = "wte",
                          .head_bias = false,
                          .embedding_ops = 5,
                          .head_slices = 0,
                          .head_views = 0};

}  // namespace

const TextLayout& text_layout(TextKind kind) {
  switch (kind) {
    case TextKind::kGpt2:
      return kGpt2;
    case TextKind::kNeox:
      return kNeox;
    case TextKind::kPhi:
      return kPhi;
    case TextKind::kBert:
      return kBert;
    case TextKind::kMpt:
      return kMpt;
    case TextKind::kLlama:
      break;
  }
  HEDDLE_CHECK(false, "Llama and its relatives have a layout of their own");
  return kGpt2;
}

}  // namespace heddle::model
