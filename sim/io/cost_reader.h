#pragma once
// "cost" of a scenario.

#include "sim/base/diagnostics.h"
#include "sim/io/json_value.h"
#include "sim/run/cost/cost_choice.h"

namespace heddle::io {

run::CostChoice read_cost(const Value& object, Diagnostics& out);

}  // namespace heddle::io
