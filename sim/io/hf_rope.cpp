#include "sim/io/hf_rope.h"

#include <fmt/format.h>

namespace heddle::io {

void check_rope_scaling(HfFields& fields) {
  const std::optional<Value> scaling = fields.present("rope_scaling");
  if (!scaling) return;
  std::optional<Value> type = scaling->member("rope_type");
  if (!type) type = scaling->member("type");
  if (!type) {
    scaling->error("missing-key", "key \"rope_type\" is missing",
                   "add it; supported: default, linear, llama3, yarn", fields.diagnostics());
    return;
  }
  const auto name = type->as_string(fields.diagnostics());
  if (!name || *name == "default" || *name == "linear" || *name == "llama3" || *name == "yarn") {
    return;
  }
  type->error("unsupported-model",
              fmt::format("rope type \"{}\" recomputes frequencies in every pass", *name),
              "supported: default, linear, llama3, yarn", fields.diagnostics());
}

}  // namespace heddle::io
