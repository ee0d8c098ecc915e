#pragma once
// NCCL's name for a way inside one machine: the worst of its parts.

#include <span>

#include "sim/fabric/device.h"
#include "sim/fabric/route.h"

namespace heddle::fabric {

/// kDisconnected for an empty route.
PathType classify_path(const Route& route, std::span<const Device> devices,
                       std::span<const Link> links);

}  // namespace heddle::fabric
