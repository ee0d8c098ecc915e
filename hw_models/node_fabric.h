#pragma once
// A node's wiring as a fabric: GPUs, CPUs, PCIe switches and one vertex for all NVSwitches.

#include <optional>
#include <string>

#include "hw_models/link_reader.h"
#include "hw_models/node_reader.h"
#include "hw_models/wiring.h"
#include "sim/fabric/fabric.h"

namespace heddle::hw_models {

/// The link files a node names.
struct NodeLinks {
  LinkModel nvlink;  // unused without NVLink
  LinkModel pcie;
  LinkModel interconnect;
};

/// `source` is the file to blame.
std::optional<fabric::Fabric> build_fabric(const std::string& name, const std::string& source,
                                           const NodeModel& node, const NodeLinks& links,
                                           const Wiring& wiring, Diagnostics& out);

}  // namespace heddle::hw_models
