#pragma once
// A fabric straight from a machine's PCI tree (NCCL's topology XML, lstopo): every CPU (NUMA node),
// every PCIe switch, every GPU and every port of a NIC is a device; nothing is rounded to a preset.
//
//   PCIe      slot payload x b / b_slot, b = lanes x rate by NCCL's rule
//   (sim/io/import/pcie_rate.h):
//             the share of the line that the slot's link file gives. Not told: the slot itself
//   NIC port  min(port rate, PCIe / ports of the card)
//   NVLink    links x payload of one; links into NVSwitches end in one hub, as every plane is
//             non-blocking
//   C2C       what the text says, in both directions; latency of the preset's C2C
//   CPU-CPU   by vendor and model, cpus/*.json
//
// Two levels of a Broadcom switch are one device, as NCCL merges them (sim/io/import/pci_paths.h).

#include <optional>
#include <string>
#include <vector>

#include "hw_models/link_reader.h"
#include "hw_models/wiring.h"
#include "sim/base/diagnostics.h"
#include "sim/fabric/fabric.h"
#include "sim/io/import/imported.h"
#include "sim/io/import/nccl_topo.h"

namespace heddle::hw_models {

/// What the tree does not tell.
struct TopoParts {
  std::string gpu;  // key into gpus/
  fabric::CommParameters comm;
  LinkModel nvlink;  // one link; unused without NVLink
  LinkModel pcie;    // slot of a machine of this kind, all its lanes
  LinkModel interconnect;
  Wiring nvlinks;  // of a text without <gpu> elements, which tells no NVLinks
  LinkModel c2c;   // its latency; without a name: that of `nvlink`
};

/// Refused: no GPU, links to the GPU itself, links that differ between the two directions, and a
/// text without links for another number of GPUs than `nvlinks` has. What was concluded is added
/// to `inferences`; `file` is to blame.
std::optional<fabric::Fabric> build_topo_fabric(const std::string& name, const io::NcclTopo& topo,
                                                const TopoParts& parts, const std::string& file,
                                                std::vector<io::Inference>& inferences,
                                                Diagnostics& out);

}  // namespace heddle::hw_models
