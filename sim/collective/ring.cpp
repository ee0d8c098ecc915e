#include "sim/collective/ring.h"

#include <algorithm>

#include "sim/collective/host_staging.h"
#include "sim/collective/link_load.h"
#include "sim/collective/ring_latency.h"
#include "sim/collective/ring_traffic.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

bool runs(CollectiveKind kind) {
  return kind != CollectiveKind::kAllToAll && kind != CollectiveKind::kSendRecv;
}

bool knows_staging(const Group& group) {
  return rate_per_cta(group.comm().host_staging, group.rings.crosses_socket).bytes_per_second > 0;
}

std::optional<Refusal> refuse(const Group& group) {
  const std::string& name = group.wiring.fabric().name();
  if (group.rings.transport == Transport::kNetwork && group.comm().network->efficiency <= 0) {
    return Refusal{
        "no-network-efficiency",
        "a ring of this group goes over the network, whose efficiency " + name + " does not give",
        "choose GPUs of one machine, or name a network that gives it"};
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

/// LL128 relies on stores staying in order: NVLink inside, and near NICs.
bool allows(const Group& group, Protocol protocol) {
  if (protocol != Protocol::kLl128) return true;
  if (group.rings.inside != Transport::kNvlink) return false;
  const bool through_peer = group.tuning->network.ll128_through_peer_nic;
  return group.rings.inter <= (through_peer ? fabric::PathType::kPxn : fabric::PathType::kPxb);
}

std::vector<LinkUse> uses(const Group& group, CollectiveKind kind, const LinkLoad& load,
                          double efficiency) {
  Share share = ring_hop_share(kind, group.size());
  share.den *= static_cast<std::int64_t>(group.rings.orders.size());
  // Rates through host memory are measured as a whole (HostStaging); its links are used in full.
  const fabric::CommParameters& comm = group.comm();
  return load.uses(
      share, {efficiency * comm.ring_efficiency, efficiency * comm.pcie_ring_efficiency, efficiency,
              comm.network ? efficiency * comm.network->efficiency : 1});
}

/// Bus bandwidth that a protocol does not exceed; NCCL believes in it, and it holds.
std::optional<Bandwidth> bus_cap(const Group& group, Protocol protocol) {
  const int machines = group.wiring.machine_count();
  if (protocol == Protocol::kLl && machines > 1) {
    return at_scale(group.tuning->network.ll_bus_cap_intel, machines);
  }
  return protocol_bus_cap(*group.tuning, protocol, group.rings.channels);
}

void lower(std::optional<Bandwidth>& cap, Bandwidth limit) {
  cap = cap ? std::min(*cap, limit) : limit;
}

std::optional<Bandwidth> rate_cap(const Group& group, CollectiveKind kind, Protocol protocol) {
  const double efficiency = protocol_efficiency(*group.tuning, protocol);
  std::optional<Bandwidth> cap = bus_cap(group, protocol);
  if (cap) cap = payload_rate(*cap, ring_hop_share(kind, group.size()));
  if (const auto sockets = socket_bus_cap(group)) {
    lower(cap, scale(payload_rate(*sockets, ring_hop_share(kind, group.size())), efficiency));
  }
  if (group.rings.inside == Transport::kHostMemory) {
    const Bandwidth all_ctas =
        rate_per_cta(group.comm().host_staging, group.rings.crosses_socket) * group.rings.ctas;
    lower(cap, scale(payload_rate(all_ctas, operations_per_chunk(kind, group.size())), efficiency));
  }
  return cap;
}

Plan plan(const Group& group, CollectiveKind kind, Protocol protocol, const LinkLoad& load) {
  const double efficiency = protocol_efficiency(*group.tuning, protocol);
  Plan plan;
  plan.algorithm = Algorithm::kRing;
  plan.protocol = protocol;
  plan.transport = group.rings.transport;
  plan.channels = group.rings.ctas;
  plan.latency = ring_latency(group, kind, protocol);
  Bandwidth nominal_bus = scale(group.rings.nominal_bus, efficiency);
  if (const auto cap = bus_cap(group, protocol)) nominal_bus = std::min(nominal_bus, *cap);
  plan.nominal = payload_rate(nominal_bus, ring_hop_share(kind, group.size()));
  plan.uses = uses(group, kind, load, efficiency);
  settle_rate(plan, group.wiring.fabric(), rate_cap(group, kind, protocol));
  return plan;
}

std::vector<Plan> plans(const Group& group, CollectiveKind kind) {
  const LinkLoad load = ring_load(group, kind);
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
