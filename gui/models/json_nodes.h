#pragma once
// JSON nodes as text that `--set` takes, and their places as its paths; io::json_text() writes any.

#include <string>

#include "sim/io/json_node.h"

namespace heddle::gui {

/// A string without its quotes where it would not be read as something else.
std::string plain_text(const io::JsonNode& node);
/// The child of that name or index; null if there is none.
const io::JsonNode* child_of(const io::JsonNode& node, const std::string& token);
/// Scalars, and arrays of nothing but scalars.
bool is_leaf(const io::JsonNode& node);

}  // namespace heddle::gui
