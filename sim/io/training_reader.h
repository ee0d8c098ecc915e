#pragma once
// "training" of a scenario.

#include <optional>

#include "sim/io/scenario_fields.h"
#include "sim/run/scenario.h"

namespace heddle::io {

/// Fills batch, precision and training. `model` decides what a batch is made of; without one only
/// types and ranges are checked.
void read_training(const Value& object, const std::optional<model::ModelSpec>& model,
                   run::Scenario& scenario, Diagnostics& out);

}  // namespace heddle::io
