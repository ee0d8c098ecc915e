#pragma once
// "strategies" of a scenario.

#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/json_value.h"
#include "sim/io/training_import/import_context.h"
#include "sim/run/scenario.h"

namespace heddle::io {

/// Entries are names, objects that also choose a dialect and an id, or objects that name a
/// framework's own configuration file ("from"), which may fill in the scenario's training, too.
std::vector<run::StrategyChoice> read_strategies(const Value& list, ImportContext& context);

}  // namespace heddle::io
