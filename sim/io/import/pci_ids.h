#pragma once
// Which GPU a PCI device id is (the PCI ID repository, pci-ids.ucw.cz, read 2026-11). Names are
// those of hw_models/gpus.

#include <string_view>

namespace heddle::io {

/// "H100-SXM-80GB" for "0x10de", "0x2330"; empty if the id is not in the table.
std::string_view gpu_of_pci_id(std::string_view vendor, std::string_view device);

}  // namespace heddle::io
