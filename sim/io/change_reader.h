#pragma once
// The what-ifs of a scenario's fabric.

#include <vector>

#include "sim/fabric/change.h"
#include "sim/io/json_value.h"

namespace heddle::io {

std::vector<fabric::Change> read_changes(const Value& list, Diagnostics& out);

}  // namespace heddle::io
