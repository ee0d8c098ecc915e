#pragma once
// Placements on clusters too large to look at every set of GPUs: the same number of GPUs, placed
// the same way, on each machine.

#include <optional>
#include <span>

#include "sim/run/placement.h"

namespace heddle::run {

/// `available` ascends. nullopt and an error if no even placement fits.
std::optional<Placements> even_placements(const fabric::Fabric& fabric,
                                          std::span<const fabric::DeviceId> available,
                                          const PlacementRequest& request, Diagnostics& out);

}  // namespace heddle::run
