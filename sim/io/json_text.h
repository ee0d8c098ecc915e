#pragma once
// A parsed value as JSON text again.

#include <string>

#include "sim/io/json_node.h"
#include "sim/io/json_value.h"

namespace heddle::io {

/// On one line: 2, "text", [0, 1], {"a": 1}. Reading it back gives the node.
std::string json_text(const JsonNode& node);
std::string json_text(const Value& value);

}  // namespace heddle::io
