#pragma once
// config.json of the "vit" and "dinov2" model types, read as image classifiers.

#include <string_view>

#include "sim/io/hf_fields.h"

namespace heddle::io {

/// Fills `spec`; problems go to the fields' diagnostics.
void read_hf_vit(std::string_view model_type, HfFields& fields, model::ModelSpec& spec);

}  // namespace heddle::io
