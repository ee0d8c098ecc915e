#pragma once
// Modules of a Llama or Mistral decoder: embedding, one layer, final norm with head, loss.

#include "sim/model/model_graph.h"
#include "sim/model/numerics.h"

namespace heddle::model {

/// "embed", one layer (unnamed, layer -1; the graph repeats it), "norm+head", "loss".
struct DecoderParts {
  Module embedding;
  Module layer;
  Module head;
  Module loss;
};

DecoderParts build_decoder(const ModelSpec& spec, const BatchShape& batch, Precision precision);

/// Bytes of the logits as the model returns them, in fp32.
Bytes decoder_output_bytes(const ModelSpec& spec, const BatchShape& batch);

}  // namespace heddle::model
