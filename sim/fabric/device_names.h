#pragma once
// Devices and links by the names that users write, with the nearest names where there is none.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/fabric/fabric.h"

namespace heddle::fabric {

/// Where a name was written: what an error blames.
struct NamePlace {
  const std::string& file;
  const std::string& pointer;
};

std::optional<DeviceId> find_device(const Fabric& fabric, std::string_view name, NamePlace at,
                                    Diagnostics& out);
/// By name, or by number where the fabric is one machine.
std::optional<DeviceId> find_gpu(const Fabric& fabric, std::string_view name, NamePlace at,
                                 Diagnostics& out);
/// All links "a - b" (both directions) or "a -> b" means; none after an error.
std::vector<LinkId> find_links(const Fabric& fabric, std::string_view name, NamePlace at,
                               Diagnostics& out);

}  // namespace heddle::fabric
