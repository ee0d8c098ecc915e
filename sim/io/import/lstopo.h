#pragma once
// The importer of hwloc's XML (`lstopo topology.xml`), versions 1 and 2: the PCI tree with its
// NUMA nodes, and NVLinks where hwloc was built with NVML. One NcclTopo comes of it: of a switch
// only the upper port is kept (every second bridge below a host bridge), as NCCL does.

#include "sim/io/import/importers.h"

namespace heddle::io {

/// `details` of what it reads is a NcclTopoDetails.
ImporterSpec lstopo_importer();

}  // namespace heddle::io
