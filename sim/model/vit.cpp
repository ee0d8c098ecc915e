#include "sim/model/vit.h"

#include "sim/model/checkpoint.h"
#include "sim/model/stream_shape.h"
#include "sim/model/vit_parts.h"

namespace heddle::model {

std::int64_t classifier_width(const ModelSpec& spec) {
  return spec.vit_kind == VitKind::kDinov2 ? 2 * spec.hidden : spec.hidden;
}

ModelParts build_vit(const ModelSpec& spec, const BatchShape& batch,
                     const ComputeOptions& options) {
  ModelParts parts{.embedding = build_vit_embedding(spec, batch, options),
                   .layer = build_vit_layer(spec, batch, options),
                   .checkpointed_layer = {},
                   .head = build_vit_head(spec, batch, options),
                   .loss = build_vit_loss(spec, batch, options)};
  if (options.checkpointing != Checkpointing::kNone) {
    parts.checkpointed_layer = checkpointed(parts.layer, {StreamShape(spec, batch, options).bytes});
  }
  return parts;
}

}  // namespace heddle::model
