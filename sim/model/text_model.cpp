#include "sim/model/text_model.h"

#include "sim/model/causal_loss.h"
#include "sim/model/checkpoint.h"
#include "sim/model/stream_shape.h"
#include "sim/model/text_layer.h"
#include "sim/model/vit_parts.h"

namespace heddle::model {

ModelParts build_text_model(const ModelSpec& spec, const BatchShape& batch,
                            const ComputeOptions& options) {
  const bool classifies = spec.family == Family::kEncoder;
  ModelParts parts{.embedding = build_text_embedding(spec, batch, options),
                   .layer = build_text_layer(spec, batch, options, false),
                   .checkpointed_layer = {},
                   .head = classifies ? build_pooled_head(spec, batch, options)
                                      : build_text_head(spec, batch, options),
                   .loss = classifies ? build_vit_loss(spec, batch, options)
                                      : build_causal_loss(spec, batch, options)};
  if (options.checkpointing != Checkpointing::kNone) {
    parts.checkpointed_layer = checkpointed(build_text_layer(spec, batch, options, true),
                                            {StreamShape(spec, batch, options).bytes});
  }
  return parts;
}

Bytes text_output_bytes(const ModelSpec& spec, const BatchShape& batch,
                        const ComputeOptions& options) {
  if (spec.family == Family::kEncoder) return {batch.micro_batch * spec.classes * 4};
  return causal_output_bytes(spec, batch, options);
}

}  // namespace heddle::model
