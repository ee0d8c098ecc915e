#include "sim/model/text_model.h"

#include "sim/model/causal_loss.h"
#include "sim/model/text_layer.h"
#include "sim/model/vit_parts.h"

namespace heddle::model {

TextParts build_text_model(const ModelSpec& spec, const BatchShape& batch, Precision precision) {
  const Numerics numerics(precision);
  const bool classifies = spec.family == Family::kEncoder;
  return {build_text_embedding(spec, batch, numerics), build_text_layer(spec, batch, numerics),
          classifies ? build_pooled_head(spec, batch, numerics)
                     : build_text_head(spec, batch, numerics),
          classifies ? build_vit_loss(spec, batch, numerics)
                     : build_causal_loss(spec, batch, numerics)};
}

Bytes text_output_bytes(const ModelSpec& spec, const BatchShape& batch, Precision precision) {
  if (spec.family == Family::kEncoder) return {batch.micro_batch * spec.classes * 4};
  return {batch.micro_batch * batch.sequence * spec.vocab *
          logit_element(spec, Numerics(precision))};
}

}  // namespace heddle::model
