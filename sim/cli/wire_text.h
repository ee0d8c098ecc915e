#pragma once
// The wires of a job in words: "NVLink through NVSwitch, 371 GB/s per GPU".

#include <span>
#include <string>

#include "sim/collective/collective_model.h"
#include "sim/fabric/fabric.h"

namespace heddle::cli {

/// Every kind of way between two of the GPUs, best first. Staging through host memory (p2p off) is
/// said instead of the wires it leaves idle.
std::string wire_text(const fabric::Fabric& fabric, std::span<const fabric::DeviceId> gpus,
                      const collective::CommSettings& comm);

/// "0,1,4,5": the numbers nvidia-smi gives them; "0:1" with the node in front when there are
/// several.
std::string gpu_list_text(const fabric::Fabric& fabric, std::span<const fabric::DeviceId> gpus);

}  // namespace heddle::cli
