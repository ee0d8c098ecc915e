#include "gui/models/json_text.h"

#include <algorithm>

#include "sim/base/diagnostics.h"
#include "sim/base/number_text.h"
#include "sim/io/json_document.h"
#include "sim/io/json_writer.h"

namespace heddle::gui {
namespace {

using io::JsonKind;
using io::JsonNode;

void write(io::JsonWriter& w, const JsonNode& node) {
  switch (node.kind) {
    case JsonKind::kNull:
      w.null();
      return;
    case JsonKind::kBool:
      w.value(node.boolean);
      return;
    case JsonKind::kInteger:
      w.value(node.integer);
      return;
    case JsonKind::kReal:
      w.value(node.real);
      return;
    case JsonKind::kString:
      w.value(node.text);
      return;
    case JsonKind::kArray:
      w.begin_array();
      for (const JsonNode& child : node.children) write(w, child);
      w.end_array();
      return;
    case JsonKind::kObject:
      w.begin_object();
      for (std::size_t i = 0; i < node.keys.size(); ++i) {
        write(w.key(node.keys[i]), node.children[i]);
      }
      w.end_object();
      return;
  }
}

}  // namespace

std::string json_text(const JsonNode& node) {
  // Inside an array, since only what is in a container can be kept on one line.
  io::JsonWriter w;
  w.begin_array().inline_from_here();
  write(w, node);
  w.end_array();
  const std::string text = w.take();
  const std::size_t first = text.find('[') + 1;
  return text.substr(first, text.rfind(']') - first);
}

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
