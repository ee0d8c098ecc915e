#include "sim/collective/ring_set.h"

#include <algorithm>
#include <utility>

#include "sim/collective/host_staging.h"
#include "sim/collective/ring_order.h"
#include "sim/collective/ring_search.h"

namespace heddle::collective {
namespace {

int channels_after_split(const RingsFound& found, const NcclTuning& tuning) {
  const int rings = static_cast<int>(found.orders.size());
  const bool is_fast = found.speed >= tuning.split_from;
  const bool may_split = found.speed >= tuning.split_always || rings <= tuning.split_rings_max;
  return is_fast && may_split ? 2 * rings : rings;
}

void note_hops(RingSet& set, const Wiring& wiring) {
  set.transport = Transport::kNvlink;
  for (const Order& order : set.orders) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Hop& hop = wiring.hop(order[i], order[(i + 1) % order.size()]);
      set.transport = std::max(set.transport, hop.transport);
      if (hop.transport == Transport::kHostMemory && hop.crosses_socket) set.crosses_socket = true;
    }
  }
}

/// One ring at the speed of its slowest link, for wires below NCCL's lowest candidate.
RingsFound slowest_link_ring(const RingGraph& graph, const Order& order) {
  const auto slowest = std::min_element(graph.capacities().begin(), graph.capacities().end());
  return {{order}, *slowest};
}

RingSet direct_rings(RingsFound found, const NcclTuning& tuning) {
  RingSet set;
  set.channels = channels_after_split(found, tuning);
  set.ctas = std::min(2 * set.channels, tuning.max_ctas);
  set.nominal_bus = found.bus();
  set.orders = std::move(found.orders);
  return set;
}

}  // namespace

RingSet find_rings(const Wiring& wiring, const NcclTuning& tuning) {
  const Order order = locality_order(wiring);
  RingsFound found = search_rings(RingGraph(wiring, Transport::kNvlink), order, tuning.ring_speeds);
  if (found.orders.empty()) {
    const RingGraph peers(wiring, Transport::kPcie);
    found = search_repeated_ring(peers, order, tuning.ring_speeds);
    if (found.orders.empty() && !peers.links_of(order).empty()) {
      found = slowest_link_ring(peers, order);
    }
  }
  if (found.orders.empty()) found.orders = {order};
  RingSet set = direct_rings(std::move(found), tuning);
  note_hops(set, wiring);
  if (set.transport == Transport::kHostMemory) {
    const fabric::HostStaging& staging = wiring.fabric().comm().host_staging;
    set.ctas = staging.ctas;
    set.channels = std::max(1, staging.ctas / 2);
    set.nominal_bus = staging_rate(staging, set.crosses_socket);
  }
  return set;
}

}  // namespace heddle::collective
