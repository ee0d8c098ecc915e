#pragma once
// Modules of a LayerNorm language model: GPT-2, GPT-NeoX and phi with a causal head, BERT with a
// sequence classifier.

#include "sim/model/model_parts.h"

namespace heddle::model {

ModelParts build_text_model(const ModelSpec& spec, const BatchShape& batch,
                            const ComputeOptions& options);

/// Bytes of the logits as the script holds them after the loss.
Bytes text_output_bytes(const ModelSpec& spec, const BatchShape& batch,
                        const ComputeOptions& options);

Module build_text_embedding(const ModelSpec&, const BatchShape&, const ComputeOptions&);
/// Final norm and language model head.
Module build_text_head(const ModelSpec&, const BatchShape&, const ComputeOptions&);
/// Pooler and classifier on the first token.
Module build_pooled_head(const ModelSpec&, const BatchShape&, const ComputeOptions&);

}  // namespace heddle::model
