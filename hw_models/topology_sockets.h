#pragma once
// The CPU sockets of a topology matrix.

#include <string>

#include "hw_models/wiring.h"
#include "sim/base/diagnostics.h"
#include "sim/io/topo_matrix.h"

namespace heddle::hw_models {

/// Sets socket.
void read_sockets(const io::TopoMatrix& matrix, const NodeModel& like, const std::string& file,
                  Wiring& wiring, Diagnostics& out);

}  // namespace heddle::hw_models
