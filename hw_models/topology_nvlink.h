#pragma once
// The NVLink part of an imported matrix: switched or dedicated.

#include <string>

#include "hw_models/import_matrix.h"
#include "hw_models/wiring.h"
#include "sim/base/diagnostics.h"

namespace heddle::hw_models {

/// Sets switch_links and pair_links. A lone pair that shows all links is read as `like` is wired.
void read_nvlinks(const ImportMatrix& matrix, const NodeModel& like, const std::string& file,
                  Wiring& wiring, Diagnostics& out);

}  // namespace heddle::hw_models
