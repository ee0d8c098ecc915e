#include "sim/cli/accuracy/plan_fields.h"

namespace heddle::cli::accuracy {
namespace {

std::vector<std::string> texts(const io::Value& list, Diagnostics& out) {
  std::vector<std::string> found;
  for (const io::Value& item : list.items(out)) found.push_back(item.as_string(out).value_or(""));
  return found;
}

}  // namespace

std::string text_field(io::ObjectReader& reader, std::string_view key, Diagnostics& out) {
  const auto value = reader.required(key);
  return value ? value->as_string(out).value_or("") : "";
}

std::string optional_text(io::ObjectReader& reader, std::string_view key, Diagnostics& out) {
  const auto value = reader.optional(key);
  return value ? value->as_string(out).value_or("") : "";
}

void check_schema(io::ObjectReader& reader, std::string_view wanted, Diagnostics& out) {
  const std::string schema = text_field(reader, "schema", out);
  if (schema.empty() || schema == wanted) return;
  reader.object().member("schema")->error("unknown-schema", "schema \"" + schema + "\"",
                                          "this program reads " + std::string(wanted), out);
}

std::vector<std::string> text_list(io::ObjectReader& reader, std::string_view key,
                                   Diagnostics& out) {
  const auto list = reader.required(key);
  return list ? texts(*list, out) : std::vector<std::string>{};
}

std::vector<std::string> optional_text_list(io::ObjectReader& reader, std::string_view key,
                                            Diagnostics& out) {
  const auto list = reader.optional(key);
  return list ? texts(*list, out) : std::vector<std::string>{};
}

std::vector<std::string> overrides_field(io::ObjectReader& reader, Diagnostics& out) {
  std::vector<std::string> overrides;
  const auto set = reader.optional("set");
  if (!set) return overrides;
  for (const std::string& path : set->keys()) {
    overrides.push_back(path + "=" + set->member(path)->as_string(out).value_or(""));
  }
  return overrides;
}

}  // namespace heddle::cli::accuracy
