#pragma once
// A machine's tree as Imported: GPUs, NICs, the matrix nvidia-smi would print, and what is told of
// links beyond it.

#include <string>
#include <vector>

#include "sim/io/import/imported.h"
#include "sim/io/import/nccl_topo.h"

namespace heddle::io {

/// The typed reading behind an import of NCCL's XML or of lstopo, from which an exact fabric
/// can be built. Writes "numa" ({bus id: NUMA node}), "nvlink_or_xgmi_count" (rows of link
/// counts by position, if the text tells a link), "links_to_switch" ({GPU number: links}),
/// "osdevs".
struct NcclTopoDetails : ImportDetails {
  NcclTopo topo;
  std::vector<std::string> osdevs;  // lstopo's names of devices ("nvml0"), sorted

  void write(JsonWriter& writer) const override;
};

/// `details` is a NcclTopoDetails.
Imported import_topo(NcclTopo topo, std::vector<std::string> osdevs = {});

}  // namespace heddle::io
