#pragma once
// The PCIe switches of an imported matrix: GPUs and NICs joined by PIX share one, those joined by
// PXB share one above theirs.

#include "hw_models/import_matrix.h"
#include "hw_models/wiring.h"

namespace heddle::hw_models {

/// Sets pcie_switch, upper_pcie_switch and nics; needs socket. Pairs joined by NVLink hide their
/// PCIe way: there `like` decides, unless the two see a NIC differently.
void read_pcie_switches(const ImportMatrix& matrix, const NodeModel& like, Wiring& wiring);

}  // namespace heddle::hw_models
