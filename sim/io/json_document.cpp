#include "sim/io/json_document.h"

#include <utility>

#include "sim/io/json_node.h"
#include "sim/io/json_parser.h"

namespace heddle::io {

struct JsonDocument::Content {
  JsonNode root;
  std::string file;
};

JsonDocument::JsonDocument(JsonNode root, std::string file)
    : content_(std::make_shared<const Content>(Content{std::move(root), std::move(file)})) {}

std::optional<JsonDocument> JsonDocument::parse(std::string_view text, std::string file,
                                                Diagnostics& out) {
  std::optional<JsonNode> root = parse_json(text, file, out);
  if (!root) return std::nullopt;
  return JsonDocument(std::move(*root), std::move(file));
}

Value JsonDocument::root() const {
  return {&content_->root, &content_->file, ""};
}

const JsonNode& JsonDocument::tree() const {
  return content_->root;
}

const std::string& JsonDocument::file() const {
  return content_->file;
}

}  // namespace heddle::io
