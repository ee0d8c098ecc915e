#pragma once
// Where a job of K GPUs can land on a machine: every placement that the wiring tells apart, once.
//
// On one machine, and on clusters of up to kMostGpusInDetail GPUs, the answer is complete: sets of
// GPUs that a symmetry of the fabric maps to each other are one placement, named by its lowest
// numbers. On larger clusters only even placements are looked at: g GPUs on each of K/g machines,
// in every way that one machine tells apart, the machines as near to each other and as far apart as
// the network's switches allow.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/symmetry.h"

namespace heddle::run {

inline constexpr std::size_t kMostGpusInDetail = 72;
inline constexpr std::size_t kMostPlacements = 2000;

struct PlacementRequest {
  int count = 0;                       // GPUs of the job
  std::vector<fabric::DeviceId> busy;  // taken by others
  fabric::Marks marks;                 // of GPUs that differ from their kind; empty: none does
};

struct Placements {
  std::vector<std::vector<fabric::DeviceId>> found;  // each in GPU order
  bool complete = true;                              // false: even placements only
};

/// nullopt and an error if there are too few free GPUs, or more than kMostPlacements placements.
std::optional<Placements> distinct_placements(const fabric::Fabric& fabric,
                                              const PlacementRequest& request, Diagnostics& out);

}  // namespace heddle::run
