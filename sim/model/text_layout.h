#pragma once
// What transformers calls the parts of a LayerNorm language model, in which order it creates a
// layer's parameters, and the operators between its matrix products (counts: README).

#include <array>

#include "sim/model/model_spec.h"

namespace heddle::model {

enum class TextPart { kNorm1, kNorm2, kAttention, kMlp };

struct TextLayout {
  const char* norm1;
  const char* norm2;               // nullptr: attention and MLP share the first
  std::array<const char*, 3> qkv;  // one name: a fused projection
  const char* out;
  const char* fc1;
  const char* fc2;
  std::array<TextPart, 4> order;  // of the parameters
  bool transposed;                // weights stored as in x out
  bool post_norm;                 // norms follow the residual sums
  int split_ops;                  // from the projections' outputs to attention's inputs
  int split_backward_ops;
  int split_backward_kernels;
  int modules;  // torch modules with hooks that a layer's forward calls
  const char* words;
  const char* positions;    // nullptr: none
  const char* token_types;  // nullptr: none
  const char* norm;         // after the last layer, or after the embedding where norms come last
  const char* head;
  bool head_bias;
  int embedding_ops;
  int head_slices;  // of the hidden states, before the head
  int head_views;   // the same, as views

  bool fused() const { return qkv[1] == nullptr; }
};

/// `kind` is not kLlama.
const TextLayout& text_layout(TextKind kind);

}  // namespace heddle::model
