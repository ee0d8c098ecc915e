#include "sim/io/training_import/config_document.h"

#include "sim/io/json_node.h"
#include "sim/io/training_import/yaml_parser.h"

namespace heddle::io {

std::optional<JsonDocument> parse_config(std::string_view text, const std::string& file,
                                         Diagnostics& out) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') {
    return JsonDocument::parse(text, file, out);
  }
  std::optional<JsonNode> root = parse_yaml(text, file, out);
  if (!root) return std::nullopt;
  return JsonDocument(std::move(*root), file);
}

std::optional<JsonDocument> read_config_file(const std::string& name, const Value& at,
                                             ImportContext& context) {
  const auto text = context.files.read_unhashed(name, at);
  if (!text) return std::nullopt;
  return parse_config(*text, name, context.out);
}

}  // namespace heddle::io
