#pragma once
// Rotary positions in a config.json.

#include "sim/io/hf_fields.h"

namespace heddle::io {

/// Refuses scalings that recompute frequencies in every pass; others cost nothing.
void check_rope_scaling(HfFields& fields);

}  // namespace heddle::io
