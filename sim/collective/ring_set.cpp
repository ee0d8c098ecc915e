#include "sim/collective/ring_set.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/collective/machine_rings.h"

namespace heddle::collective {
namespace {

/// NCCL's ncclTopoDupChannels.
int channels_after_split(const RingsFound& found, const NcclTuning& tuning) {
  const int rings = static_cast<int>(found.rings.size());
  const bool is_fast = found.speed >= tuning.split_from;
  const bool may_split = found.speed >= tuning.split_always || rings <= tuning.split_rings_max;
  return is_fast && may_split ? 2 * rings : rings;
}

int held_ctas(int ctas, const NcclTuning& tuning, const CommSettings& settings) {
  ctas = std::max(ctas, settings.min_ctas.value_or(1));
  return std::min({ctas, settings.max_ctas.value_or(tuning.max_ctas), tuning.max_ctas});
}

void note_inner_hop(RingSet& set, const Hop& hop) {
  set.inside = std::max(set.inside, hop.transport);
  if (hop.transport == Transport::kHostMemory && hop.crosses_socket) set.crosses_socket = true;
}

void note_outer_hop(RingSet& set, const Wiring& wiring, std::size_t ring, int from) {
  set.transport = Transport::kNetwork;
  set.inter = std::max(set.inter, wiring.egress_path(from, port_at(wiring, set, ring, from)));
}

void note_hops(RingSet& set, const Wiring& wiring) {
  set.transport = set.inside = Transport::kNvlink;
  for (const Bundle& bundle : bundles_of(set)) {
    const Order& order = set.orders[bundle.ring];
    for (std::size_t i = 0; i < order.size(); ++i) {
      const int next = order[(i + 1) % order.size()];
      if (wiring.machine_of(order[i]) == wiring.machine_of(next)) {
        note_inner_hop(set, wiring.hop(order[i], next));
      } else {
        note_outer_hop(set, wiring, bundle.ring, order[i]);
      }
    }
  }
  set.transport = std::max(set.transport, set.inside);
}

/// One after the other through all machines, then turned to start at member 0.
void join(RingSet& set, const Wiring& wiring, const std::vector<RingsFound>& found,
          std::size_t rings) {
  for (std::size_t ring = 0; ring < rings; ++ring) {
    Order order;
    std::vector<int> ports;
    for (int machine = 0; machine < wiring.machine_count(); ++machine) {
      const RingPath& path = found[static_cast<std::size_t>(machine)].rings[ring];
      for (int local : path.order) {
        order.push_back(wiring.members_of(machine)[static_cast<std::size_t>(local)]);
      }
      ports.push_back(path.port);
    }
    std::rotate(order.begin(), std::find(order.begin(), order.end(), 0), order.end());
    set.orders.push_back(std::move(order));
    if (wiring.machine_count() > 1) set.ports.push_back(std::move(ports));
  }
}

Bandwidth believed_bottleneck(const Wiring& wiring, const RingSet& set) {
  Bandwidth slowest{std::numeric_limits<std::int64_t>::max()};
  for (std::size_t at = 0; at < set.orders.front().size(); ++at) {
    for (fabric::LinkId id : ring_hop(wiring, set, 0, at).links) {
      slowest = std::min(slowest, believed_capacity(wiring.fabric().link(id)));
    }
  }
  return slowest;
}

/// A library without a topology search: one ring, rank after rank.
RingSet rank_order_ring(const Wiring& wiring, const NcclTuning& tuning,
                        const CommSettings& settings) {
  RingSet set;
  Order order;
  for (int position = 0; position < wiring.size(); ++position) order.push_back(position);
  set.orders.push_back(std::move(order));
  note_hops(set, wiring);
  set.channels = 1;
  set.ctas = held_ctas(1, tuning, settings);
  set.nominal_bus = believed_bottleneck(wiring, set);
  return set;
}

/// The least of what the machines hold.
RingsFound common(const std::vector<RingsFound>& found) {
  RingsFound least = found.front();
  for (const RingsFound& each : found) {
    least.rings.resize(std::min(least.rings.size(), each.rings.size()));
    least.speed = std::min(least.speed, each.speed);
  }
  return least;
}

}  // namespace

RingSet find_rings(const Wiring& wiring, const NcclTuning& tuning, const CommSettings& settings) {
  if (settings.ring_order == RingOrder::kRank) return rank_order_ring(wiring, tuning, settings);
  const std::vector<RingsFound> found = search_machines(wiring, tuning);
  const RingsFound least = common(found);
  RingSet set;
  set.channels = channels_after_split(least, tuning);
  set.ctas = held_ctas(2 * set.channels, tuning, settings);
  // With fewer CTAs than rings NCCL leaves the last rings out.
  const auto rings = std::min(least.rings.size(), static_cast<std::size_t>(set.ctas));
  set.nominal_bus = least.speed * static_cast<std::int64_t>(rings);
  join(set, wiring, found, rings);
  note_hops(set, wiring);
  const int given = wiring.fabric().comm().host_staging.ctas;
  if (set.inside == Transport::kHostMemory && given > 0) {
    set.ctas = held_ctas(given, tuning, settings);
    set.channels = std::max(1, set.ctas / 2);
  }
  return set;
}

std::vector<Bundle> bundles_of(const RingSet& set) {
  std::vector<Bundle> bundles;
  for (std::size_t ring = 0; ring < set.orders.size(); ++ring) {
    const auto same = std::find_if(bundles.begin(), bundles.end(), [&](const Bundle& bundle) {
      return set.orders[bundle.ring] == set.orders[ring] &&
             (set.ports.empty() || set.ports[bundle.ring] == set.ports[ring]);
    });
    if (same == bundles.end()) {
      bundles.push_back({ring, 1});
    } else {
      ++same->rings;
    }
  }
  return bundles;
}

int port_at(const Wiring& wiring, const RingSet& set, std::size_t ring, int position) {
  if (set.ports.empty()) return wiring.nearest_port_of(position);
  return set.ports[ring][static_cast<std::size_t>(wiring.machine_of(position))];
}

Hop ring_hop(const Wiring& wiring, const RingSet& set, std::size_t ring, std::size_t at) {
  const Order& order = set.orders[ring];
  const int from = order[at];
  const int to = order[(at + 1) % order.size()];
  if (wiring.machine_of(from) == wiring.machine_of(to)) return wiring.hop(from, to);
  return wiring.network_hop(from, to, port_at(wiring, set, ring, from),
                            port_at(wiring, set, ring, to));
}

}  // namespace heddle::collective
