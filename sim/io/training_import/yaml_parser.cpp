#include "sim/io/training_import/yaml_parser.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "sim/io/training_import/yaml_scalar.h"

namespace heddle::io {
namespace {

/// Ends parsing; the diagnostic is out already.
struct Stop {};

/// Receives yaml-cpp's events and builds the tree.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& file, Diagnostics& out) : file_(file), out_(out) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) refuse(mark, "holds more than one document", "keep one");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    place(plain_scalar("", line_of(mark)));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_anchor(mark, 1); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    const bool is_plain = tag == "?";
    if (!is_plain && tag != "!") refuse(mark, "tags are not read", "remove \"" + tag + "\"");
    if (awaits_key()) return take_key(mark, value);
    JsonNode node = plain_scalar(value, line_of(mark));
    if (!is_plain) {
      node = {};
      node.kind = JsonKind::kString;
      node.line = line_of(mark);
      node.text = value;
    }
    place(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, anchor, JsonKind::kArray);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, anchor, JsonKind::kObject);
  }
  void OnMapEnd() override { close(); }

  JsonNode take_root() { return std::move(root_); }

 private:
  static int line_of(const YAML::Mark& mark) { return mark.line + 1; }

  [[noreturn]] void refuse(const YAML::Mark& mark, std::string reason, std::string hint) {
    out_.error("yaml-unsupported", file_, "", line_of(mark), std::move(reason), std::move(hint));
    throw Stop{};
  }
  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) refuse(mark, "anchors and aliases are not read", "write the value out");
  }
  bool awaits_key() const {
    return !open_.empty() && open_.back().kind == JsonKind::kObject &&
           open_.back().keys.size() == open_.back().children.size();
  }
  void take_key(const YAML::Mark& mark, const std::string& key) {
    std::vector<std::string>& keys = open_.back().keys;
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) {
      refuse(mark, fmt::format("key \"{:.80}\" is given twice", key), "keep one of the two");
    }
    keys.push_back(key);
  }
  void open(const YAML::Mark& mark, YAML::anchor_t anchor, JsonKind kind) {
    refuse_anchor(mark, anchor);
    if (open_.size() >= kMaxYamlDepth) {
      refuse(mark, fmt::format("is nested deeper than {}", kMaxYamlDepth), "");
    }
    if (awaits_key()) refuse(mark, "a key must be a scalar", "");
    JsonNode node;
    node.kind = kind;
    node.line = line_of(mark);
    open_.push_back(std::move(node));
  }
  void close() {
    JsonNode node = std::move(open_.back());
    open_.pop_back();
    place(std::move(node));
  }
  void place(JsonNode node) {
    if (awaits_key()) {  // an empty key
      out_.error("yaml-unsupported", file_, "", node.line, "a key must be a scalar");
      throw Stop{};
    }
    (open_.empty() ? root_ : open_.back().children.emplace_back()) = std::move(node);
  }

  const std::string& file_;
  Diagnostics& out_;
  std::vector<JsonNode> open_;
  JsonNode root_;
  int documents_ = 0;
};

}  // namespace

std::optional<JsonNode> parse_yaml(std::string_view text, const std::string& file,
                                   Diagnostics& out) {
  if (text.size() > kMaxYamlBytes) {
    out.error("yaml-unsupported", file, "", 0,
              fmt::format("is larger than {} KiB", kMaxYamlBytes / 1024));
    return std::nullopt;
  }
  TreeBuilder builder(file, out);
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      out.error("yaml-syntax", file, "", 1, "the file is empty");
      return std::nullopt;
    }
    parser.HandleNextDocument(builder);  // there must be none
  } catch (const Stop&) {
    return std::nullopt;
  } catch (const YAML::Exception& error) {
    out.error("yaml-syntax", file, "", error.mark.line + 1, error.msg);
    return std::nullopt;
  }
  return builder.take_root();
}

}  // namespace heddle::io
