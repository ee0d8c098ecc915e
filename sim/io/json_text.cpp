#include "sim/io/json_text.h"

#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

void write(JsonWriter& w, const JsonNode& node) {
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
  JsonWriter w;
  w.begin_array().inline_from_here();
  write(w, node);
  w.end_array();
  const std::string text = w.take();
  const std::size_t first = text.find('[') + 1;
  return text.substr(first, text.rfind(']') - first);
}

std::string json_text(const Value& value) {
  return json_text(*value.node_);
}

}  // namespace heddle::io
