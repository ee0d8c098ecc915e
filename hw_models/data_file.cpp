#include "hw_models/data_file.h"

#include <fmt/format.h>

namespace heddle::hw_models {

std::string read_text(io::ObjectReader& object, std::string_view key, Diagnostics& out) {
  const auto value = object.required(key);
  return value ? value->as_string(out).value_or("") : "";
}

Head read_head(io::ObjectReader& object, const DataFile& file, std::string_view schema,
               Diagnostics& out) {
  const std::string found = read_text(object, "schema", out);
  if (!found.empty() && found != schema) {
    object.optional("schema")->error("wrong-schema", fmt::format("schema is \"{}\"", found),
                                     fmt::format("this folder holds \"{}\"", schema), out);
  }
  Head head{read_text(object, "name", out), read_text(object, "summary", out)};
  if (!head.name.empty() && !file.stem.empty() && head.name != file.stem) {
    object.optional("name")->error(
        "wrong-name", fmt::format("name is \"{}\" in the file of \"{}\"", head.name, file.stem),
        "a file is called after what it describes", out);
  }
  return head;
}

}  // namespace heddle::hw_models
