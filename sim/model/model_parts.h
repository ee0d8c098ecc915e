#pragma once
// What a model is assembled from.

#include "sim/model/model_graph.h"

namespace heddle::model {

/// "embed", one layer (unnamed, layer -1; the graph repeats it), "norm+head", "loss".
struct ModelParts {
  Module embedding;
  Module layer;
  Module checkpointed_layer;  // the same, recomputed in backward; empty without checkpointing
  Module head;
  Module loss;
};

}  // namespace heddle::model
