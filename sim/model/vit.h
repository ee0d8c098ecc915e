#pragma once
// Modules of a DINOv2 image classifier: patch embedding, one layer, final norm with the classifier
// on [cls, mean of patches], loss.

#include "sim/model/model_graph.h"

namespace heddle::model {

struct VitParts {
  Module embedding;
  Module layer;  // unnamed, layer -1; the graph repeats it
  Module head;
  Module loss;
};

/// `batch.sequence` is patches + 1.
VitParts build_vit(const ModelSpec& spec, const BatchShape& batch, Precision precision);

}  // namespace heddle::model
