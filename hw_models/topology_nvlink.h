#pragma once
// The NVLink part of a topology matrix: switched, dedicated or ambiguous.

#include <string>

#include "hw_models/wiring.h"
#include "sim/base/diagnostics.h"
#include "sim/io/topo_matrix.h"

namespace heddle::hw_models {

/// Sets switch_links and pair_links.
void read_nvlinks(const io::TopoMatrix& matrix, const NodeModel& like, const std::string& file,
                  Wiring& wiring, Diagnostics& out);

}  // namespace heddle::hw_models
