#pragma once
// What makes a set of devices and links a machine. Reports every fault found.

#include <span>
#include <string>

#include "sim/base/diagnostics.h"
#include "sim/fabric/device.h"

namespace heddle::fabric {

/// False, with at least one error, unless the parts can be frozen.
bool check_fabric(std::span<const Device> devices, std::span<const Link> links,
                  const std::string& source, Diagnostics& out);

}  // namespace heddle::fabric
