#pragma once
// NCCL's search over ring speeds (src/graph/search.cc): candidates highest first, keep the largest
// rings * speed, stop once the next candidate is under 0.49 of the best one's speed.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/ring_graph.h"

namespace heddle::collective {

inline constexpr int kMaxOrderSearch = 8;  // members up to which rings may differ in order

struct RingsFound {
  std::vector<Order> orders;  // empty: no ring at any candidate speed
  Bandwidth speed;            // of each

  Bandwidth bus() const { return speed * static_cast<std::int64_t>(orders.size()); }
};

/// Rings in any order for up to kMaxOrderSearch members, in `order` for more.
RingsFound search_rings(const RingGraph& graph, const Order& order,
                        std::span<const Bandwidth> speeds);

/// The same with `order` in every ring.
RingsFound search_repeated_ring(const RingGraph& graph, const Order& order,
                                std::span<const Bandwidth> speeds);

}  // namespace heddle::collective
