#pragma once
// config.json of the "llama", "mistral", "qwen2", "qwen3" and "gemma" model types.

#include <string_view>

#include "sim/io/hf_fields.h"

namespace heddle::io {

/// Fills `spec`; problems go to the fields' diagnostics.
void read_hf_decoder(std::string_view model_type, HfFields& fields, model::ModelSpec& spec);

}  // namespace heddle::io
