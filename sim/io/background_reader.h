#pragma once
// The traffic of others on a scenario's fabric.

#include <vector>

#include "sim/io/json_value.h"
#include "sim/run/background_choice.h"

namespace heddle::io {

std::vector<run::BackgroundChoice> read_background(const Value& list, Diagnostics& out);

}  // namespace heddle::io
