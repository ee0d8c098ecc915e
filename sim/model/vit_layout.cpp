#include "sim/model/vit_layout.h"

namespace heddle::model {
namespace {

// Layer, two norms, attention with its inner attention and three linears, attention output with its
// linear and dropout are common: 11. Plain: intermediate and output, each with a linear,
// activation, dropout. DINOv2: two layer scales, drop path, MLP with two linears and activation.
constexpr int kCommonModules = 11;
constexpr int kPlainModules = 6;
constexpr int kDinov2Modules = 7;

constexpr VitLayerLayout kPlain{.norm1 = "layernorm_before",
                                .norm2 = "layernorm_after",
                                .fc1 = "intermediate.dense",
                                .fc2 = "output.dense",
                                .norms_last = true,
                                .modules = kCommonModules + kPlainModules};
constexpr VitLayerLayout kDinov2{.norm1 = "norm1",
                                 .norm2 = "norm2",
                                 .fc1 = "mlp.fc1",
                                 .fc2 = "mlp.fc2",
                                 .norms_last = false,
                                 .modules = kCommonModules + kDinov2Modules};

}  // namespace

const VitLayerLayout& vit_layer_layout(VitKind kind) {
  return kind == VitKind::kDinov2 ? kDinov2 : kPlain;
}

}  // namespace heddle::model
