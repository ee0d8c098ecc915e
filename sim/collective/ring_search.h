#pragma once
// NCCL's search for rings (src/graph/search.cc, ncclTopoCompute) inside one machine. Candidate
// speeds highest first; at each the best kinds of path first, the same order in every ring before
// different orders; a solution admits no worse kind of path. The largest rings * speed is kept, and
// the search stops once the next candidate is under 0.49 of the best one's speed.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/ring_graph.h"

namespace heddle::collective {

inline constexpr int kMaxOrderSearch = 16;  // members up to which rings may differ in order

struct RingsFound {
  std::vector<RingPath> rings;  // empty: no ring at any candidate speed
  Bandwidth speed;              // of each
  WorstPaths worst;             // allowed when they were found

  Bandwidth bus() const { return speed * static_cast<std::int64_t>(rings.size()); }
};

/// `order`, of all members, is tried in every ring first, turned so that it starts at the gateway
/// of each NIC in turn. Fewer than `least` rings do not count.
RingsFound search_rings(const RingGraph& graph, const Order& order,
                        std::span<const Bandwidth> speeds, int least = 1);

/// One ring in `order` at the speed of its slowest link, for wires below NCCL's lowest candidate.
RingsFound slowest_link_ring(const RingGraph& graph, const Order& order);

}  // namespace heddle::collective
