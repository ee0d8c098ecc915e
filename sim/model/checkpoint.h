#pragma once
// A layer under torch.utils.checkpoint. Forward runs without gradients: a tensor goes after its
// last use, only what is marked Held::kCheckpoint stays (the layer's input; selective: outputs of
// the operators on the list). Backward runs the rows of forward once more, skips those whose
// outputs are all still there, saves everything of this one layer, then goes on as ever.
//
// Autocast caches the cast of a trainable weight until the model's forward pass ends, without
// gradients too (Held::kForward); the repeated rows cast again. Everything is repeated, the layer's
// last operators included, as the re-entrant variant does (transformers' default).

#include "sim/model/model_graph.h"

namespace heddle::model {

/// Whether layer number `layer` of the stack is checkpointed.
bool is_checkpointed(const ComputeOptions& options, std::int64_t layer);

/// `gradient`: bytes of the gradient of the layer's output, alive while forward is repeated.
Module checkpointed(const Module& layer, Bytes gradient);

}  // namespace heddle::model
