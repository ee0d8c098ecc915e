#pragma once
// Modules of a ViT or DINOv2 image classifier: patch embedding, one layer, final norm with the
// classifier on the cls token (DINOv2: on [cls, mean of patches]), loss.

#include "sim/model/model_parts.h"

namespace heddle::model {

/// Features per image that the classifier reads.
std::int64_t classifier_width(const ModelSpec& spec);

/// `batch.sequence` is patches + 1.
ModelParts build_vit(const ModelSpec& spec, const BatchShape& batch, const ComputeOptions& options);

}  // namespace heddle::model
