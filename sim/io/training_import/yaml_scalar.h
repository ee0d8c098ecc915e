#pragma once
// The type of a plain YAML scalar.

#include <string>

#include "sim/io/json_node.h"

namespace heddle::io {

/// As PyYAML's safe_load resolves it: null, boolean, integer or real, else a string.
JsonNode plain_scalar(const std::string& text, int line);

}  // namespace heddle::io
