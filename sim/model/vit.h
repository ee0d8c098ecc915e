#pragma once
// Modules of a ViT or DINOv2 image classifier: patch embedding, one layer, final norm with the
// classifier on the cls token (DINOv2: on [cls, mean of patches]), loss.

#include "sim/model/model_graph.h"

namespace heddle::model {

struct VitParts {
  Module embedding;
  Module layer;  // unnamed, layer -1; the graph repeats it
  Module head;
  Module loss;
};

/// Features per image that the classifier reads.
std::int64_t classifier_width(const ModelSpec& spec);

/// `batch.sequence` is patches + 1.
VitParts build_vit(const ModelSpec& spec, const BatchShape& batch, Precision precision);

}  // namespace heddle::model
