#include "gui/models/json_nodes.h"

#include <algorithm>

#include "sim/base/diagnostics.h"
#include "sim/base/number_text.h"
#include "sim/io/json_document.h"
#include "sim/io/json_text.h"

namespace heddle::gui {

using io::JsonKind;
using io::JsonNode;

std::string plain_text(const JsonNode& node) {
  if (node.kind != JsonKind::kString) return json_text(node);
  Diagnostics ignored;
  const bool reads_as_json = io::JsonDocument::parse(node.text, "", ignored).has_value();
  return reads_as_json || node.text.empty() ? json_text(node) : node.text;
}

const JsonNode* child_of(const JsonNode& node, const std::string& token) {
  if (node.kind == JsonKind::kArray) {
    const auto index = whole_number(token);
    const bool there =
        index && *index >= 0 && *index < static_cast<std::int64_t>(node.children.size());
    return there ? &node.children[static_cast<std::size_t>(*index)] : nullptr;
  }
  const auto key = std::find(node.keys.begin(), node.keys.end(), token);
  if (key == node.keys.end()) return nullptr;
  return &node.children[static_cast<std::size_t>(key - node.keys.begin())];
}

bool is_leaf(const JsonNode& node) {
  if (node.kind == JsonKind::kObject) return false;
  return node.kind != JsonKind::kArray ||
         std::none_of(node.children.begin(), node.children.end(), [](const JsonNode& child) {
           return child.kind == JsonKind::kArray || child.kind == JsonKind::kObject;
         });
}

}  // namespace heddle::gui
