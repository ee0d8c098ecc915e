#pragma once
// Modules of a LayerNorm language model: GPT-2, GPT-NeoX and phi with a causal head, BERT with a
// sequence classifier.

#include "sim/model/model_graph.h"
#include "sim/model/numerics.h"

namespace heddle::model {

/// As DecoderParts.
struct TextParts {
  Module embedding;
  Module layer;  // unnamed, layer -1; the graph repeats it
  Module head;
  Module loss;
};

TextParts build_text_model(const ModelSpec& spec, const BatchShape& batch, Precision precision);

/// Bytes of the logits as the model returns them.
Bytes text_output_bytes(const ModelSpec& spec, const BatchShape& batch, Precision precision);

Module build_text_embedding(const ModelSpec&, const BatchShape&, const Numerics&);
/// Final norm and language model head.
Module build_text_head(const ModelSpec&, const BatchShape&, const Numerics&);
/// Pooler and classifier on the first token.
Module build_pooled_head(const ModelSpec&, const BatchShape&, const Numerics&);

}  // namespace heddle::model
