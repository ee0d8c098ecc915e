#pragma once
// One layer of a Llama or Mistral decoder: norm, attention, norm, MLP, each half added to the
// residual stream.

#include "sim/model/model_graph.h"

namespace heddle::model {

/// `recomputed`: for checkpointed(): the layer's input is a saved tensor.
Module build_decoder_layer(const ModelSpec& spec, const BatchShape& batch,
                           const ComputeOptions& options, bool recomputed);

}  // namespace heddle::model
