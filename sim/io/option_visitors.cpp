#include "sim/io/option_visitors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::io {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

void SchemaProperties::add(std::string_view key, std::string_view what, const std::string& type,
                           const std::string& otherwise) {
  if (!text_.empty()) text_ += ",\n";
  text_ += fmt::format(R"(        "{}": {{"description": "{}", {}, "default": {}}})", key,
                       escaped(what), type, otherwise);
}

std::string integer_type(std::int64_t low, std::int64_t high) {
  return fmt::format(R"("type": "integer", "minimum": {}, "maximum": {})", low, high);
}

std::string enum_type(const std::vector<std::string>& names) {
  return fmt::format(R"("enum": ["{}"])", fmt::join(names, "\", \""));
}

}  // namespace heddle::io
