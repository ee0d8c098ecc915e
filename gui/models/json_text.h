#pragma once
// JSON nodes as text that `--set` takes, and their places as its paths.

#include <string>

#include "sim/io/json_node.h"

namespace heddle::gui {

/// On one line: 2, "text", [0, 1], {"a": 1}. Reading it back gives the node.
std::string json_text(const io::JsonNode& node);
/// A string without its quotes where it would not be read as something else.
std::string plain_text(const io::JsonNode& node);
/// The child of that name or index; null if there is none.
const io::JsonNode* child_of(const io::JsonNode& node, const std::string& token);
/// Scalars, and arrays of nothing but scalars.
bool is_leaf(const io::JsonNode& node);

}  // namespace heddle::gui
