#pragma once
// What an imported matrix means, read with the help of a node of the same kind.
//
// NVLink: NV# counts the links of one GPU. If a row's sum exceeds the links a GPU has, the pairs
// share them and there is a switch; otherwise they are dedicated. A lone pair that shows all links
// can be either: then `like` decides.
// Sockets: the NUMA column; several NUMA nodes per socket are grouped in order. Without it, GPUs
// not separated by SYS share a socket. PCIe switches: PIX and PXB as printed, of GPUs and NICs.
// Pairs joined by NVLink hide their PCIe way: there, and only there, `like` decides.

#include <optional>
#include <string>

#include "hw_models/import_matrix.h"
#include "hw_models/wiring.h"
#include "sim/base/diagnostics.h"

namespace heddle::hw_models {

std::optional<Wiring> wiring_of(const ImportMatrix& matrix, const NodeModel& like,
                                const std::string& file, Diagnostics& out);

}  // namespace heddle::hw_models
