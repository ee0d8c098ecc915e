#include "sim/io/json_template.h"

#include <nlohmann/json.hpp>

namespace heddle::io {
namespace {

using Json = nlohmann::ordered_json;

class Filler {
 public:
  explicit Filler(const TemplateValues& values) : values_(values) {}

  void fill(Json& node) {
    if (node.is_string()) {
      fill_string(node);
    } else if (node.is_structured()) {
      for (Json& child : node) fill(child);
    }
  }
  std::vector<std::string> take_unknown() { return std::move(unknown_); }

 private:
  void fill_string(Json& node) {
    const std::string text = node.get<std::string>();
    if (text.size() > 1 && text[0] == '$' && text[1] != '{') {
      const auto found = values_.find(text.substr(1));
      if (found == values_.end()) {
        unknown_.push_back(text.substr(1));
      } else {
        node = Json::parse(found->second);
      }
      return;
    }
    node = with_texts(text);
  }

  std::string with_texts(const std::string& text) {
    std::string out;
    std::size_t at = 0;
    for (std::size_t open = text.find("${"); open != std::string::npos;
         open = text.find("${", at)) {
      const std::size_t close = text.find('}', open);
      if (close == std::string::npos) break;
      out += text.substr(at, open - at) + text_of(text.substr(open + 2, close - open - 2));
      at = close + 1;
    }
    return out + text.substr(at);
  }

  std::string text_of(const std::string& name) {
    const auto found = values_.find(name);
    const Json value = found == values_.end() ? Json() : Json::parse(found->second);
    if (value.is_null()) unknown_.push_back(name);
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  const TemplateValues& values_;
  std::vector<std::string> unknown_;
};

}  // namespace

std::string merge_patch(std::string_view base, std::string_view patch) {
  Json merged = base.empty() ? Json::object() : Json::parse(base);
  merged.merge_patch(Json::parse(patch));
  return merged.dump();
}

FilledTemplate fill_template(std::string_view text, const TemplateValues& values) {
  Json root = Json::parse(text);
  Filler filler(values);
  filler.fill(root);
  return {root.dump(2) + "\n", filler.take_unknown()};
}

}  // namespace heddle::io
