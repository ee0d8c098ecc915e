#pragma once
// Modules of a Llama or Mistral decoder: embedding, one layer, final norm with head, loss.

#include "sim/model/model_parts.h"

namespace heddle::model {

ModelParts build_decoder(const ModelSpec& spec, const BatchShape& batch,
                         const ComputeOptions& options);

}  // namespace heddle::model
