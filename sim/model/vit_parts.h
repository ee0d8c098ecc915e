#pragma once
// The modules of a ViT or DINOv2 classifier one by one; vit.h puts them together.

#include "sim/model/model_graph.h"
#include "sim/model/numerics.h"

namespace heddle::model {

Module build_vit_embedding(const ModelSpec&, const BatchShape&, const Numerics&);
Module build_vit_layer(const ModelSpec&, const BatchShape&, const Numerics&);
Module build_vit_head(const ModelSpec&, const BatchShape&, const Numerics&);
Module build_vit_loss(const ModelSpec&, const BatchShape&, const Numerics&);

}  // namespace heddle::model
