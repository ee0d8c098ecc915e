#pragma once
// What makes the links outside machines a network that can be routed: trees of switches with NICs
// below.

#include <span>
#include <string>

#include "sim/base/diagnostics.h"
#include "sim/fabric/device.h"

namespace heddle::fabric {

/// Reports every fault. The links' ends must exist.
void check_network(std::span<const Device> devices, std::span<const Link> links,
                   const std::string& source, Diagnostics& out);

}  // namespace heddle::fabric
