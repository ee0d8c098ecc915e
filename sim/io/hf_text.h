#pragma once
// config.json of the "gpt2", "gpt_neox" and "phi" model types, read as causal language models, and
// of "bert", read as a sequence classifier.

#include <string_view>

#include "sim/io/hf_fields.h"

namespace heddle::io {

bool is_hf_text(std::string_view model_type);

/// Fills `spec`; problems go to the fields' diagnostics.
void read_hf_text(std::string_view model_type, HfFields& fields, model::ModelSpec& spec);

}  // namespace heddle::io
