#pragma once
// Machines of one kind on a network.

#include <optional>
#include <string>

#include "hw_models/hardware_files.h"
#include "hw_models/network_name.h"

namespace heddle::hw_models {

/// How many of its machines a cluster is built with.
enum class Machines { kAll, kFolded };

/// `nodes` copies of a machine. The network's own NICs, if it brings some, replace the machine's;
/// refused if then there are none. `nics` replace both. `name` is the machine's, for "2 x
/// 8xH100-SXM over ib-ndr-rail".
std::optional<fabric::Fabric> build_cluster(const DataFolder& folder, const std::string& name,
                                            const NodeFiles& node, Wiring wiring, int nodes,
                                            Machines machines, const NetworkFiles& network,
                                            const std::optional<OtherNics>& nics, Diagnostics& out);

}  // namespace heddle::hw_models
