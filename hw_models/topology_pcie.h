#pragma once
// The PCIe switches of a topology matrix: PIX pairs share one, PXB pairs share one above theirs.

#include "hw_models/wiring.h"
#include "sim/io/topo_matrix.h"

namespace heddle::hw_models {

/// Sets pcie_switch and upper_pcie_switch; needs socket.
void read_pcie_switches(const io::TopoMatrix& matrix, const NodeModel& like, Wiring& wiring);

}  // namespace heddle::hw_models
