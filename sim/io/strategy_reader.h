#pragma once
// "strategies" of a scenario.

#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/json_value.h"
#include "sim/run/scenario.h"

namespace heddle::io {

/// Entries are names, or objects that also choose a dialect and an id.
std::vector<run::StrategyChoice> read_strategies(const Value& list, Diagnostics& out);

}  // namespace heddle::io
