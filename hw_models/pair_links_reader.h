#pragma once
// "links" of a node's wiring: [[a, b, links], ...], the NVLinks between GPU a and GPU b. For what
// groups of equal pairs cannot say, a hybrid cube mesh for one.

#include <vector>

#include "hw_models/node_reader.h"

namespace heddle::hw_models {

/// Takes "links" of `wiring`; needs the node's count of GPUs and links_per_gpu. Refuses GPUs the
/// node lacks, a pair named twice, and more links than a GPU has.
std::vector<PairLinks> read_pair_links(io::ObjectReader& wiring, const NodeModel& node,
                                       Diagnostics& out);

}  // namespace heddle::hw_models
