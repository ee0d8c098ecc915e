#pragma once
// What a node preset adds to a machine's PCI tree: GPU, efficiencies, payload of an NVLink and of a
// slot. The wire between CPUs follows from the processors the tree names; the preset's is taken
// where it names none, or one that cpus/*.json does not know.

#include <functional>
#include <optional>
#include <vector>

#include "hw_models/node_fabric.h"
#include "hw_models/topo_fabric.h"

namespace heddle::hw_models {

/// The wire between two such CPUs; none where they are not known.
using WireOfCpu = std::function<std::optional<LinkModel>(const io::NcclCpu& cpu)>;

/// What was concluded is added to `inferences`.
TopoParts topo_parts(const io::NcclTopo& topo, const NodeModel& node, const NodeLinks& links,
                     const WireOfCpu& wire_of, std::vector<io::Inference>& inferences);

}  // namespace heddle::hw_models
