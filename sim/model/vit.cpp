#include "sim/model/vit.h"

#include "sim/model/vit_parts.h"

namespace heddle::model {

std::int64_t classifier_width(const ModelSpec& spec) {
  return spec.vit_kind == VitKind::kDinov2 ? 2 * spec.hidden : spec.hidden;
}

VitParts build_vit(const ModelSpec& spec, const BatchShape& batch, Precision precision) {
  const Numerics numerics(precision);
  return {build_vit_embedding(spec, batch, numerics), build_vit_layer(spec, batch, numerics),
          build_vit_head(spec, batch, numerics), build_vit_loss(spec, batch, numerics)};
}

}  // namespace heddle::model
