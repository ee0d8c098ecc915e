#pragma once
// A node's wiring as a fabric: GPUs, CPUs, PCIe switches, NICs and one vertex for all NVSwitches.

#include <optional>
#include <string>
#include <vector>

#include "hw_models/link_reader.h"
#include "hw_models/node_reader.h"
#include "hw_models/wiring.h"
#include "sim/fabric/fabric_builder.h"

namespace heddle::hw_models {

/// The link files a node names.
struct NodeLinks {
  LinkModel nvlink;  // unused without NVLink
  LinkModel pcie;
  LinkModel interconnect;
  LinkModel c2c;  // unused without C2C
};

/// Adds machine `number`, its device names after `prefix`. Returns its NICs by number.
std::vector<fabric::DeviceId> add_node(fabric::FabricBuilder& builder, int number,
                                       const std::string& prefix, const NodeModel& node,
                                       const NodeLinks& links, const Wiring& wiring);

/// What collectives achieve in it: without an NVSwitch nothing reduces in one.
fabric::CommParameters comm_of(const NodeModel& node, const Wiring& wiring);

/// The node alone. `source` is the file to blame.
std::optional<fabric::Fabric> build_fabric(const std::string& name, const std::string& source,
                                           const NodeModel& node, const NodeLinks& links,
                                           const Wiring& wiring, Diagnostics& out);

}  // namespace heddle::hw_models
