#pragma once
// A network's switches and cables above the NICs of machines.
//
// Parallel switches of a tier are one, with the sum of their links (sim/fabric/README.md). A leaf
// has the uplinks it is built with, however few machines it serves; the topmost tier's are divided
// by the oversubscription.

#include <vector>

#include "hw_models/link_reader.h"
#include "hw_models/network_reader.h"
#include "sim/fabric/fabric_builder.h"

namespace heddle::hw_models {

/// `nics` by machine and number, every machine as many; `cable` is one NIC's.
void add_network(fabric::FabricBuilder& builder, const NetworkModel& network,
                 const LinkModel& cable, const std::vector<std::vector<fabric::DeviceId>>& nics);

}  // namespace heddle::hw_models
