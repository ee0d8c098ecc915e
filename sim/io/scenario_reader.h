#pragma once
// Scenario files, schema "heddle.scenario/1". `heddle schema` prints the JSON Schema this accepts.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/diagnostics.h"
#include "sim/run/scenario.h"

namespace heddle::io {

/// Reads a file; throws heddle::Error(kCannotRead). Paths are as the scenario resolves them:
/// relative to the scenario's folder.
using ReadText = std::function<std::string(const std::string& path)>;

/// `--set training.micro_batch=2`: path with dots or slashes, value as JSON or a bare string.
using Overrides = std::span<const std::pair<std::string, std::string>>;

/// nullopt with every problem found, never just the first.
std::optional<run::Scenario> read_scenario(std::string_view text, const std::string& file,
                                           Overrides overrides, const ReadText& read,
                                           Diagnostics& out);

/// The JSON Schema (draft 2020-12) of scenario files, pretty-printed.
std::string scenario_schema();

/// A Hugging Face config.json of a supported architecture. Unused keys become notes; keys that
/// change the model in a way we do not model are errors.
std::optional<model::ModelSpec> read_hf_config(std::string_view text, const std::string& file,
                                               const std::string& name, Diagnostics& out);

}  // namespace heddle::io
