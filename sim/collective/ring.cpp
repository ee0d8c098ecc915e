#include "sim/collective/ring.h"

#include <algorithm>

#include "sim/collective/host_staging.h"
#include "sim/collective/link_load.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

bool runs(CollectiveKind kind) {
  return kind != CollectiveKind::kAllToAll && kind != CollectiveKind::kSendRecv;
}

/// One chain through all members, from or to member 0, instead of a closed ring.
bool is_chain(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce;
}

/// Latency steps, as NCCL counts them.
int steps(CollectiveKind kind, int ranks) {
  if (kind == CollectiveKind::kAllReduce) return 2 * (ranks - 1);
  return is_chain(kind) ? ranks : ranks - 1;
}

bool knows_staging(const Group& group) {
  return rate_per_cta(group.comm().host_staging, group.rings.crosses_socket).bytes_per_second > 0;
}

std::optional<Refusal> refuse(const Group& group) {
  const std::string& name = group.wiring.fabric().name();
  if (group.rings.transport == Transport::kNetwork) {
    return Refusal{"unsupported-wiring", "rings between machines are not modelled",
                   "choose GPUs of one machine"};
  }
  if (group.rings.inside == Transport::kHostMemory && !knows_staging(group)) {
    return Refusal{
        "no-host-staging",
        "a ring of this group goes through host memory, whose rate " + name + " does not give",
        "choose GPUs joined by NVLink or PCIe peer-to-peer, or add host_staging to "
        "the node file"};
  }
  if (group.rings.inside == Transport::kPcie && group.comm().pcie_ring_efficiency <= 0) {
    return Refusal{
        "no-pcie-efficiency",
        "a ring of this group goes over PCIe, whose efficiency " + name + " does not give",
        "choose GPUs joined by NVLink, or add pcie_ring_efficiency to the node file"};
  }
  return std::nullopt;
}

bool allows(const Group& group, Protocol protocol) {
  return protocol != Protocol::kLl128 || group.rings.transport == Transport::kNvlink;
}

Duration latency(const Group& group, CollectiveKind kind, Protocol protocol) {
  const NcclTuning& tuning = *group.tuning;
  const ProtocolLatency& hop =
      group.rings.transport == Transport::kNvlink ? tuning.ring_nvlink_hop : tuning.ring_pcie_hop;
  return of(tuning.ring_base, protocol) + of(hop, protocol) * steps(kind, group.size());
}

/// Equal rings follow each other and are crossed once.
std::size_t equal_rings(const RingSet& rings, std::size_t first) {
  std::size_t last = first + 1;
  while (last < rings.orders.size() && rings.orders[last] == rings.orders[first] &&
         (rings.ports.empty() || rings.ports[last] == rings.ports[first])) {
    ++last;
  }
  return last - first;
}

LinkLoad load_of(const Group& group, CollectiveKind kind) {
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

std::vector<LinkUse> uses(const Group& group, CollectiveKind kind, const LinkLoad& load,
                          double efficiency) {
  Share share = ring_hop_share(kind, group.size());
  share.den *= static_cast<std::int64_t>(group.rings.orders.size());
  // Rates through host memory are measured as a whole (HostStaging); its links are used in full.
  return load.uses(share, {efficiency * group.comm().ring_efficiency,
                           efficiency * group.comm().pcie_ring_efficiency, efficiency, 1});
}

std::optional<Bandwidth> rate_cap(const Group& group, CollectiveKind kind, Protocol protocol) {
  std::optional<Bandwidth> cap = protocol_bus_cap(*group.tuning, protocol, group.rings.channels);
  if (cap) cap = payload_rate(*cap, ring_hop_share(kind, group.size()));
  if (group.rings.inside != Transport::kHostMemory) return cap;
  const Bandwidth all_ctas =
      rate_per_cta(group.comm().host_staging, group.rings.crosses_socket) * group.rings.ctas;
  const Bandwidth staged = scale(payload_rate(all_ctas, operations_per_chunk(kind, group.size())),
                                 protocol_efficiency(*group.tuning, protocol));
  return cap ? std::min(*cap, staged) : staged;
}

Plan plan(const Group& group, CollectiveKind kind, Protocol protocol, const LinkLoad& load) {
  const double efficiency = protocol_efficiency(*group.tuning, protocol);
  Plan plan;
  plan.algorithm = Algorithm::kRing;
  plan.protocol = protocol;
  plan.transport = group.rings.transport;
  plan.channels = group.rings.ctas;
  plan.latency = latency(group, kind, protocol);
  Bandwidth nominal_bus = scale(group.rings.nominal_bus, efficiency);
  if (const auto cap = protocol_bus_cap(*group.tuning, protocol, group.rings.channels)) {
    nominal_bus = std::min(nominal_bus, *cap);
  }
  plan.nominal = payload_rate(nominal_bus, ring_hop_share(kind, group.size()));
  plan.uses = uses(group, kind, load, efficiency);
  settle_rate(plan, group.wiring.fabric(), rate_cap(group, kind, protocol));
  return plan;
}

std::vector<Plan> plans(const Group& group, CollectiveKind kind) {
  const LinkLoad load = load_of(group, kind);
  std::vector<Plan> found;
  for (Protocol protocol : {Protocol::kLl, Protocol::kLl128, Protocol::kSimple}) {
    if (allows(group, protocol)) found.push_back(plan(group, kind, protocol, load));
  }
  return found;
}

}  // namespace

Share ring_hop_share(CollectiveKind kind, int ranks) {
  if (kind == CollectiveKind::kAllReduce) return {2 * (ranks - 1), ranks};
  if (is_chain(kind)) return {1, 1};
  return {ranks - 1, ranks};
}

AlgorithmSpec ring_algorithm() {
  return {Algorithm::kRing, runs, refuse, ring_hop_share, plans};
}

}  // namespace heddle::collective
