#include "sim/collective/ring.h"

#include <algorithm>

#include "sim/collective/host_staging.h"
#include "sim/collective/link_load.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

bool runs_all(CollectiveKind) {
  return true;
}

/// Latency steps, as NCCL counts them.
int steps(CollectiveKind kind, int ranks) {
  if (kind == CollectiveKind::kAllReduce) return 2 * (ranks - 1);
  return kind == CollectiveKind::kBroadcast ? ranks : ranks - 1;
}

std::optional<Refusal> refuse(const Group& group) {
  const fabric::CommParameters& comm = group.comm();
  const std::string& name = group.wiring.fabric().name();
  switch (group.rings.transport) {
    case Transport::kHostMemory:
      if (comm.host_staging.ctas > 0 &&
          staging_rate(comm.host_staging, group.rings.crosses_socket).bytes_per_second > 0) {
        break;
      }
      return Refusal{
          "no-host-staging",
          "a ring of this group goes through host memory, whose rate " + name + " does not give",
          "choose GPUs joined by NVLink or PCIe peer-to-peer, or add host_staging to "
          "the node file"};
    case Transport::kPcie:
      if (comm.pcie_ring_efficiency > 0) break;
      return Refusal{
          "no-pcie-efficiency",
          "a ring of this group goes over PCIe, whose efficiency " + name + " does not give",
          "choose GPUs joined by NVLink, or add pcie_ring_efficiency to the node file"};
    case Transport::kNvlink:
    case Transport::kNetwork:
    case Transport::kSelf:
      break;
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

std::vector<LinkUse> uses(const Group& group, CollectiveKind kind, double efficiency) {
  LinkLoad load;
  for (const Order& order : group.rings.orders) {
    // A broadcast stops at the member before its root.
    const std::size_t hops = order.size() - (kind == CollectiveKind::kBroadcast ? 1 : 0);
    for (std::size_t i = 0; i < hops; ++i) {
      load.cross(group.wiring.hop(order[i], order[(i + 1) % order.size()]));
    }
  }
  Share share = ring_hop_share(kind, group.size());
  share.den *= static_cast<std::int64_t>(group.rings.orders.size());
  // Rates through host memory are measured as a whole (HostStaging); its links are used in full.
  return load.uses(share, {efficiency * group.comm().ring_efficiency,
                           efficiency * group.comm().pcie_ring_efficiency, efficiency});
}

std::optional<Bandwidth> rate_cap(const Group& group, CollectiveKind kind, Protocol protocol) {
  std::optional<Bandwidth> cap = protocol_bus_cap(*group.tuning, protocol, group.rings.channels);
  if (cap) cap = payload_rate(*cap, ring_hop_share(kind, group.size()));
  if (group.rings.transport != Transport::kHostMemory) return cap;
  const Bandwidth staged =
      scale(payload_rate(staging_rate(group.comm().host_staging, group.rings.crosses_socket),
                         operations_per_chunk(kind, group.size())),
            protocol_efficiency(*group.tuning, protocol));
  return cap ? std::min(*cap, staged) : staged;
}

Plan plan(const Group& group, CollectiveKind kind, Protocol protocol) {
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
  plan.uses = uses(group, kind, efficiency);
  settle_rate(plan, group.wiring.fabric(), rate_cap(group, kind, protocol));
  return plan;
}

std::vector<Plan> plans(const Group& group, CollectiveKind kind) {
  std::vector<Plan> found;
  for (Protocol protocol : {Protocol::kLl, Protocol::kLl128, Protocol::kSimple}) {
    if (allows(group, protocol)) found.push_back(plan(group, kind, protocol));
  }
  return found;
}

}  // namespace

Share ring_hop_share(CollectiveKind kind, int ranks) {
  if (kind == CollectiveKind::kAllReduce) return {2 * (ranks - 1), ranks};
  if (kind == CollectiveKind::kBroadcast) return {1, 1};
  return {ranks - 1, ranks};
}

AlgorithmSpec ring_algorithm() {
  return {Algorithm::kRing, runs_all, refuse, ring_hop_share, plans};
}

}  // namespace heddle::collective
