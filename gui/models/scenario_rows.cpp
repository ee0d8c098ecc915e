#include "gui/models/scenario_rows.h"

#include <algorithm>

#include "gui/models/json_nodes.h"
#include "sim/io/json_text.h"
#include "sim/io/scenario_writer.h"

namespace heddle::gui {
namespace {

using io::JsonKind;
using io::JsonNode;

std::vector<std::string> tokens_of(const std::string& path) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    out.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

bool is_below(const std::string& path, const std::string& root) {
  return path == root ||
         (path.size() > root.size() && path.starts_with(root) && path[root.size()] == '.');
}

std::string pointer_of(const std::string& path) {
  std::string out = "/" + path;
  std::replace(out.begin(), out.end(), '.', '/');
  return out;
}

std::string join(const std::string& a, const std::string& b) {
  return a.empty() ? b : a + '.' + b;
}

/// A copy of `node` in which what `tokens` leads to is `value`, read as --set reads it.
JsonNode replaced(JsonNode node, const std::vector<std::string>& tokens, std::size_t at,
                  const std::string& value) {
  if (at == tokens.size()) {
    Diagnostics ignored;
    if (const auto parsed = io::JsonDocument::parse(value, "", ignored)) return parsed->tree();
    JsonNode text;
    text.kind = JsonKind::kString;
    text.text = value;
    return text;
  }
  const JsonNode* child = child_of(node, tokens[at]);
  if (child == nullptr) return node;
  const auto index = static_cast<std::size_t>(child - node.children.data());
  node.children[index] = replaced(*child, tokens, at + 1, value);
  return node;
}

}  // namespace

std::string_view to_string(Origin origin) {
  switch (origin) {
    case Origin::kFile:
      return "file";
    case Origin::kDefault:
      return "default";
    case Origin::kChanged:
      return "changed";
  }
  return "";
}

ScenarioRows::ScenarioRows(const run::Scenario& scenario, const std::string& text,
                           const Edits& edits, const Diagnostics& problems)
    : edits_(edits), problems_(problems) {
  Diagnostics ignored;
  full_ = io::JsonDocument::parse(io::write_scenario(scenario), "", ignored);
  file_ = io::JsonDocument::parse(text, "", ignored);
  if (!full_) return;
  const JsonNode& root = full_->tree();
  for (std::size_t i = 0; i < root.keys.size(); ++i) {
    const std::string& key = root.keys[i];
    const JsonNode& child = root.children[i];
    if (key == "schema" || key == "assumptions" || key == "description") continue;
    if (key == "fabrics") {
      add_entries(child, key, "fabric ");
    } else if (key == "strategies") {
      add_entries(child, key, "strategy ");
    } else if (is_leaf(child)) {
      add(child, key, "scenario", key);
    } else {
      add(child, key, key, "");
    }
  }
}

void ScenarioRows::add_entries(const JsonNode& list, const std::string& key,
                               const std::string& word) {
  for (std::size_t i = 0; i < list.children.size(); ++i) {
    const JsonNode* id = child_of(list.children[i], "id");
    const std::string index = std::to_string(i);
    add(list.children[i], join(key, index), word + (id == nullptr ? index : id->text), "");
  }
}

void ScenarioRows::add(const JsonNode& node, const std::string& path, const std::string& section,
                       const std::string& name) {
  if (!is_leaf(node)) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const std::string token = node.kind == JsonKind::kObject ? node.keys[i] : std::to_string(i);
      add(node.children[i], join(path, token), section, join(name, token));
    }
    return;
  }
  ScenarioRow row{path, section, name, plain_text(node), origin_of(path), ""};
  for (const auto& [changed, value] : edits_) {
    if (changed == path) row.value = value;
  }
  for (const Diagnostic& d : problems_.all()) {
    if (d.severity == Severity::kError && d.pointer == pointer_of(path)) row.problem = d.message;
  }
  rows_.push_back(std::move(row));
}

Origin ScenarioRows::origin_of(const std::string& path) const {
  for (const auto& [changed, value] : edits_) {
    if (is_below(path, changed)) return Origin::kChanged;
  }
  const JsonNode* node = file_ ? &file_->tree() : nullptr;
  for (const std::string& token : tokens_of(path)) {
    if (node == nullptr) break;
    node = child_of(*node, token);
  }
  return node == nullptr ? Origin::kDefault : Origin::kFile;
}

std::pair<std::string, std::string> ScenarioRows::edit_for(const std::string& path,
                                                           const std::string& value) const {
  if (!full_ || !file_) return {path, value};
  const std::vector<std::string> tokens = tokens_of(path);
  const JsonNode* in_file = &file_->tree();
  const JsonNode* in_full = &full_->tree();
  std::string upto;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    upto = join(upto, tokens[i]);
    in_full = in_full == nullptr ? nullptr : child_of(*in_full, tokens[i]);
    in_file = child_of(*in_file, tokens[i]);
    if (in_file == nullptr) return {path, value};  // --set makes what is absent
    const bool container = in_file->kind == JsonKind::kObject || in_file->kind == JsonKind::kArray;
    if (!container && in_full != nullptr) {
      return {upto, io::json_text(replaced(*in_full, tokens, i + 1, value))};
    }
  }
  return {path, value};
}

}  // namespace heddle::gui
