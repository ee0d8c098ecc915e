#pragma once
// What a reader of a framework's configuration may look at besides the file.

#include <optional>

#include "sim/io/scenario_files.h"
#include "sim/io/training_import/scenario_settings.h"

namespace heddle::io {

struct ImportContext {
  std::optional<std::int64_t> hidden;  // of the model, for "auto" values
  ScenarioSettings& settings;
  ScenarioFiles& files;
  Diagnostics& out;
};

}  // namespace heddle::io
