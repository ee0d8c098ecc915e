#pragma once
// Declared traffic of others onto the links of a resolved machine.

#include <span>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/collective/nccl_tuning.h"
#include "sim/engine/background_flow.h"
#include "sim/fabric/fabric.h"
#include "sim/run/background_choice.h"

namespace heddle::run {

/// Where the traffic runs: the fabric after its changes, and the job it must keep off.
struct BackgroundPlace {
  const fabric::Fabric& fabric;
  std::span<const fabric::DeviceId> job;
  bool p2p = true;  // of the machine: off sends GPU to GPU through host memory
  const collective::NcclTuning& tuning;
  const std::string& file;  // for diagnostics
};

/// In the order declared. Refused, all at once: unknown devices, ends without a route, flows
/// between machines, another job's collective on the job's own GPUs (SMs that two jobs share are
/// not modelled).
std::vector<engine::BackgroundFlow> resolve_background(std::span<const BackgroundChoice> choices,
                                                       const BackgroundPlace& place,
                                                       Diagnostics& out);

}  // namespace heddle::run
