#pragma once
// "model" of a scenario.

#include <optional>
#include <string>

#include "sim/io/scenario_fields.h"
#include "sim/io/scenario_files.h"
#include "sim/model/model_spec.h"

namespace heddle::io {

struct ModelChoice {
  std::string config;                    // as the scenario wrote it
  std::optional<model::ModelSpec> spec;  // none after a diagnostic
  bool layers = false;                   // the scenario chose how many
};

ModelChoice read_model(const Value& object, ScenarioFiles& files, Diagnostics& out);

}  // namespace heddle::io
