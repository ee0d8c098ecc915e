#pragma once
// One layer of a LayerNorm language model, y its input x after
//
//   pre-norm      z = x + A(N1(x)),  y = z + M(N2(z))           GPT-2, Megatron GPT
//   parallel      y = x + A(N1(x)) + M(N2(x)), N2 = N1 for phi  GPT-NeoX, phi
//   post-norm     z = N1(x + A(x)),  y = N2(z + M(z))           BERT
//
// with dropout after A and M.

#include "sim/model/model_graph.h"

namespace heddle::model {

/// `recomputed`: for checkpointed(): the layer's input is a saved tensor. After a norm that comes
/// last it is the layer before that saves it.
Module build_text_layer(const ModelSpec& spec, const BatchShape& batch,
                        const ComputeOptions& options, bool recomputed);

}  // namespace heddle::model
