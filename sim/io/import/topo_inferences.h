#pragma once
// What is concluded from a machine's tree without being said in it.

#include <vector>

#include "sim/io/import/imported.h"
#include "sim/io/import/nccl_topo.h"

namespace heddle::io {

/// GPU numbers of a text without them, GPU models by PCI id, PCIe bandwidths not told (NCCL takes
/// Gen3 x16), NVLinks a static file leaves out, uplinks slower than the devices below them.
std::vector<Inference> infer(const NcclTopo& topo);

}  // namespace heddle::io
