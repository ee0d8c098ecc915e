#pragma once
// The way between two devices of a machine's PCI tree, as NCCL classifies it (src/graph/paths.cc):
//
//   PIX  one PCIe switch     PXB  several     PHB  a host bridge     SYS  between NUMA nodes
//
// and NODE (nvidia-smi's word) where a text tells host bridges of one NUMA node apart. Broadcom
// Gen4 and Gen5 switches show themselves as two levels although they are one; they are merged as
// NCCL merges them (ncclTopoFlattenBcmSwitches), so nvidia-smi may say PXB where this says PIX.

#include <string>
#include <vector>

#include "sim/io/import/nccl_topo.h"

namespace heddle::io {

/// Where a device hangs: below PCI device `pci` (or kNoPci: below the CPU itself) of CPU `cpu`.
struct Attachment {
  int pci = kNoPci;
  int cpu = 0;
  int host_bridge = -1;
};

class PciPaths {
 public:
  explicit PciPaths(const NcclTopo& topo);

  /// The switch above each PCI device after merging; kNoPci: the CPU.
  const std::vector<int>& parents() const { return parents_; }
  /// Switches that were merged into the one above; they are no devices of their own.
  const std::vector<bool>& merged() const { return merged_; }
  Attachment of_pci(int pci) const;
  Attachment of_net(const NcclNet& net) const;
  /// "PIX", "PXB", "PHB", "NODE" or "SYS". Two ports of one device are "PIX".
  std::string token(const Attachment& a, const Attachment& b) const;

 private:
  std::vector<int> switches_above(int pci) const;

  const NcclTopo& topo_;
  std::vector<int> parents_;
  std::vector<bool> merged_;
};

}  // namespace heddle::io
