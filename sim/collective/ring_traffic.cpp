#include "sim/collective/ring_traffic.h"

#include <cstddef>
#include <cstdint>

#include "sim/collective/ring_latency.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

/// How many equal rings begin here; they are crossed together.
std::size_t equal_rings(const RingSet& rings, std::size_t first) {
  std::size_t last = first + 1;
  while (last < rings.orders.size() && rings.orders[last] == rings.orders[first] &&
         (rings.ports.empty() || rings.ports[last] == rings.ports[first])) {
    ++last;
  }
  return last - first;
}

}  // namespace

LinkLoad ring_load(const Group& group, CollectiveKind kind) {
  LinkLoad load;
  const RingSet& rings = group.rings;
  std::size_t equal = 0;
  for (std::size_t ring = 0; ring < rings.orders.size(); ring += equal) {
    equal = equal_rings(rings, ring);
    // A broadcast stops at the member before its root, a reduction starts at the one after it.
    const std::size_t first = kind == CollectiveKind::kReduce ? 1 : 0;
    const std::size_t last = rings.orders[ring].size() - (kind == CollectiveKind::kBroadcast);
    for (std::size_t at = first; at < last; ++at) {
      load.cross(ring_hop(group.wiring, rings, ring, at), static_cast<std::int64_t>(equal));
    }
  }
  return load;
}

}  // namespace heddle::collective
