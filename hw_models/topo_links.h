#pragma once
// NVLinks, xGMI links and PCIe capacities of a machine's tree, checked for building a fabric.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hw_models/link_reader.h"
#include "hw_models/wiring.h"
#include "sim/base/diagnostics.h"
#include "sim/io/import/imported.h"
#include "sim/io/import/nccl_topo.h"

namespace heddle::hw_models {

/// By position in the tree's list of GPUs.
struct TopoLinks {
  std::vector<std::vector<int>> pairs;
  std::vector<int> to_switch;

  bool uses_switch() const;
};

/// Those the tree tells, or those of `untold` where it has no <gpu> elements. See topo_fabric.h for
/// what is refused.
std::optional<TopoLinks> topo_links(const io::NcclTopo& topo, const Wiring& untold,
                                    const std::string& file, std::vector<io::Inference>& inferences,
                                    Diagnostics& out);

/// The slot's payload rate in proportion to NCCL's figures for both; the slot's where the device
/// does not tell its own.
Bandwidth pcie_payload(std::optional<std::int64_t> nccl_bandwidth, const LinkModel& slot);

}  // namespace heddle::hw_models
