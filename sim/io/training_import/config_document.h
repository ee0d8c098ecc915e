#pragma once
// A configuration file as a tree, whether JSON or YAML.

#include <optional>
#include <string>

#include "sim/io/json_document.h"
#include "sim/io/training_import/import_context.h"

namespace heddle::io {

/// JSON if the first character says so, else YAML. nullopt after errors.
std::optional<JsonDocument> parse_config(std::string_view text, const std::string& file,
                                         Diagnostics& out);

/// The file that `at` names, relative to the scenario's folder. nullopt after errors.
std::optional<JsonDocument> read_config_file(const std::string& name, const Value& at,
                                             ImportContext& context);

}  // namespace heddle::io
