#include "sim/io/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "sim/io/json_node.h"

namespace heddle::io {
namespace {

std::string unescaped(std::string token) {
  for (std::size_t at = token.find('~'); at != std::string::npos; at = token.find('~', at + 1)) {
    if (token.compare(at, 2, "~1") == 0) token.replace(at, 2, "/");
    if (token.compare(at, 2, "~0") == 0) token.replace(at, 2, "~");
  }
  return token;
}

/// "/a/b~1c" as a JSON pointer, anything else split at dots.
std::vector<std::string> split_path(std::string_view path) {
  const bool pointer = path.starts_with('/');
  if (pointer) path.remove_prefix(1);
  std::vector<std::string> tokens;
  while (true) {
    const std::size_t end = path.find(pointer ? '/' : '.');
    const std::string token(path.substr(0, end));
    tokens.push_back(pointer ? unescaped(token) : token);
    if (end == std::string_view::npos) return tokens;
    path.remove_prefix(end + 1);
  }
}

void forget_lines(JsonNode& node) {
  node.line = 0;
  for (JsonNode& child : node.children) forget_lines(child);
}

/// As JSON if it is that, else as the string itself: "2 %" needs no quotes.
JsonNode parse_value(const std::string& text) {
  Diagnostics ignored;
  if (const auto document = JsonDocument::parse(text, "", ignored)) {
    JsonNode node = document->tree();
    forget_lines(node);
    return node;
  }
  JsonNode node;
  node.kind = JsonKind::kString;
  node.text = text;
  return node;
}

JsonNode& member_or_new(JsonNode& object, const std::string& key) {
  const auto found = std::find(object.keys.begin(), object.keys.end(), key);
  if (found != object.keys.end()) {
    return object.children[static_cast<std::size_t>(found - object.keys.begin())];
  }
  object.keys.push_back(key);
  JsonNode& fresh = object.children.emplace_back();
  fresh.kind = JsonKind::kObject;
  return fresh;
}

JsonNode* element(JsonNode& array, const std::string& token) {
  std::size_t index = 0;
  const char* const end = token.data() + token.size();
  const auto [rest, error] = std::from_chars(token.data(), end, index);
  if (error != std::errc() || rest != end || index >= array.children.size()) return nullptr;
  return &array.children[index];
}

/// Why `token` leads nowhere from `node`.
std::string dead_end(const JsonNode& node, const std::string& token) {
  if (node.kind != JsonKind::kArray) {
    return fmt::format("is of type {}, so it has no \"{}\"", to_string(node.kind), token);
  }
  return fmt::format("has {} elements from 0, and no \"{}\"", node.children.size(), token);
}

void apply(JsonNode& root, const std::pair<std::string, std::string>& override,
           const std::string& file, Diagnostics& out) {
  JsonNode* node = &root;
  std::string pointer;
  const std::vector<std::string> tokens = split_path(override.first);
  if (tokens.size() > kMaxJsonDepth) {
    out.error("unknown-path", file, "", 0, fmt::format("--set: path of {} parts", tokens.size()),
              "write paths like training.micro_batch or /fabrics/0/gpus");
    return;
  }
  for (const std::string& token : tokens) {
    JsonNode* next = nullptr;
    if (node->kind == JsonKind::kObject) next = &member_or_new(*node, token);
    if (node->kind == JsonKind::kArray) next = element(*node, token);
    if (next == nullptr) {
      out.error("unknown-path", file, pointer, 0,
                fmt::format("--set {}: this {}", override.first, dead_end(*node, token)),
                "write paths like training.micro_batch or /fabrics/0/gpus");
      return;
    }
    pointer += pointer_token(token);
    node = next;
  }
  *node = parse_value(override.second);
}

}  // namespace

JsonDocument apply_overrides(const JsonDocument& document, Overrides overrides, Diagnostics& out) {
  JsonNode root = document.tree();
  for (const auto& override : overrides) apply(root, override, document.file(), out);
  return {std::move(root), document.file()};
}

}  // namespace heddle::io
