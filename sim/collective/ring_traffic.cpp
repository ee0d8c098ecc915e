#include "sim/collective/ring_traffic.h"

#include <cstddef>

namespace heddle::collective {

using schedule::CollectiveKind;

LinkLoad ring_load(const Group& group, CollectiveKind kind) {
  LinkLoad load;
  const RingSet& rings = group.rings;
  for (const Bundle& bundle : bundles_of(rings)) {
    // A broadcast stops at the member before its root, a reduction starts at the one after it.
    const std::size_t first = kind == CollectiveKind::kReduce ? 1 : 0;
    const std::size_t last =
        rings.orders[bundle.ring].size() - (kind == CollectiveKind::kBroadcast);
    for (std::size_t at = first; at < last; ++at) {
      load.cross(ring_hop(group.wiring, rings, bundle.ring, at), bundle.rings);
    }
  }
  return load;
}

}  // namespace heddle::collective
