#pragma once
// The modules of a ViT or DINOv2 classifier one by one; vit.h puts them together.

#include "sim/model/model_graph.h"

namespace heddle::model {

Module build_vit_embedding(const ModelSpec&, const BatchShape&, const ComputeOptions&);
Module build_vit_layer(const ModelSpec&, const BatchShape&, const ComputeOptions&);
Module build_vit_head(const ModelSpec&, const BatchShape&, const ComputeOptions&);
Module build_vit_loss(const ModelSpec&, const BatchShape&, const ComputeOptions&);

}  // namespace heddle::model
