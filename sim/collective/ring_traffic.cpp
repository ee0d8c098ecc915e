#include "sim/collective/ring_traffic.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

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

std::optional<Bandwidth> socket_bus_cap(const Group& group) {
  const auto& network = group.comm().network;
  const bool has_cap = network && network->per_nic_cap.bytes_per_second > 0;
  if (!has_cap || group.rings.transport != Transport::kNetwork) return std::nullopt;
  // The NIC that most rings share sets the pace of all.
  std::int64_t most = 1;
  for (int machine = 0; machine < group.wiring.machine_count(); ++machine) {
    std::map<int, std::int64_t> rings;
    for (const std::vector<int>& ports : group.rings.ports) {
      most = std::max(most, ++rings[ports[static_cast<std::size_t>(machine)]]);
    }
  }
  const auto all = static_cast<std::int64_t>(group.rings.orders.size());
  return payload_rate(network->per_nic_cap, {most, all});
}

}  // namespace heddle::collective
