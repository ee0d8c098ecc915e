#pragma once
// What transformers calls the parts of a ViT layer, and the order in which it creates them.

#include "sim/model/model_spec.h"

namespace heddle::model {

struct VitLayerLayout {
  const char* norm1;
  const char* norm2;
  const char* fc1;
  const char* fc2;
  bool norms_last;  // the norms' parameters come after those of attention and MLP
  int modules;      // torch modules with hooks that forward calls
};

const VitLayerLayout& vit_layer_layout(VitKind kind);

}  // namespace heddle::model
