#pragma once
// The objects of an lstopo XML as a NcclTopo, without links.

#include <map>
#include <string>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/io/import/nccl_topo.h"
#include "sim/io/import/xml_tree.h"

namespace heddle::io {

struct LstopoMachine {
  NcclTopo topo;                    // `gpus` not filled yet
  std::map<int, int> pci_of_index;  // hwloc's gp_index of a PCI or OS device -> position in `pcis`
  std::vector<std::string> osdevs;  // names, sorted
};

/// Faults are errors in `out`; the machine is then of no use.
LstopoMachine read_lstopo_objects(const XmlElement& topology, const std::string& file,
                                  Diagnostics& out);

}  // namespace heddle::io
