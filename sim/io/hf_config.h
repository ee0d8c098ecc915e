#pragma once
// Hugging Face config.json. read_hf_config itself is declared in scenario_reader.h.

#include <cstdint>
#include <string>

#include "sim/model/model_spec.h"

namespace heddle::io {

/// Trains an image model at another size than its position table's, as preprocessing crops do.
/// Returns why that is not possible, or "" when done; the origin is recorded in spec.derived.
std::string set_training_image_size(model::ModelSpec& spec, std::int64_t pixels,
                                    const std::string& origin);

}  // namespace heddle::io
