#pragma once
// "fabrics" of a scenario.

#include <vector>

#include "sim/io/scenario_files.h"
#include "sim/run/scenario.h"

namespace heddle::io {

std::vector<run::FabricChoice> read_fabrics(const Value& list, ScenarioFiles& files,
                                            Diagnostics& out);

}  // namespace heddle::io
