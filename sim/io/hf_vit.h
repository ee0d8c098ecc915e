#pragma once
// config.json of the "dinov2" model type, read as an image classifier.

#include "sim/io/hf_fields.h"

namespace heddle::io {

/// Fills `spec`; problems go to the fields' diagnostics.
void read_hf_vit(HfFields& fields, model::ModelSpec& spec);

}  // namespace heddle::io
