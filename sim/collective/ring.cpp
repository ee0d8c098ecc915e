#include "sim/collective/ring.h"

#include <algorithm>

#include "sim/collective/host_staging.h"
#include "sim/collective/latency.h"
#include "sim/collective/link_load.h"
#include "sim/collective/path_efficiency.h"
#include "sim/collective/ring_latency.h"
#include "sim/collective/ring_traffic.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

bool runs(CollectiveKind kind) {
  return !schedule::is_point_to_point(kind);
}

/// Bus bandwidth that a protocol does not exceed; NCCL believes in it, and it holds.
std::optional<Bandwidth> bus_cap(const Group& group, Protocol protocol) {
  return protocol_bus_cap(*group.tuning, protocol, group.rings.channels, group.machines());
}

void lower(std::optional<Bandwidth>& cap, Bandwidth limit) {
  cap = cap ? std::min(*cap, limit) : limit;
}

std::optional<Bandwidth> rate_cap(const Group& group, CollectiveKind kind, Protocol protocol) {
  const double efficiency = protocol_efficiency(*group.tuning, protocol);
  std::optional<Bandwidth> cap = bus_cap(group, protocol);
  if (cap) cap = payload_rate(*cap, ring_hop_share(kind, group.size()));
  if (group.rings.inside == Transport::kHostMemory) {
    const Bandwidth all_ctas =
        rate_per_cta(group.comm().host_staging, group.rings.crosses_socket) * group.rings.ctas;
    lower(cap, scale(payload_rate(all_ctas, operations_per_chunk(kind, group.size())), efficiency));
  }
  return cap;
}

Believed believed(const Group& group, CollectiveKind kind, Protocol protocol, Duration latency) {
  Believed believed;
  believed.latency = latency;
  Bandwidth bus = scale(group.rings.nominal_bus, protocol_efficiency(*group.tuning, protocol));
  if (const auto cap = bus_cap(group, protocol)) bus = std::min(bus, *cap);
  believed.rate = payload_rate(bus, ring_hop_share(kind, group.size()));
  const bool slows =
      group.machines() > 1 && kind == CollectiveKind::kAllReduce && protocol == Protocol::kSimple;
  if (slows) {
    const NetworkTuning& network = group.tuning->network;
    believed.large_from = network.large_ring_from * group.rings.channels * group.size();
    believed.large_factor = network.large_ring_factor;
  }
  return believed;
}

Plan plan(const Group& group, CollectiveKind kind, Protocol protocol, const LinkLoad& load) {
  const Latency latency = ring_latency(group, kind, protocol);
  const TimingTuning& timing = group.tuning->timing;
  Plan plan;
  plan.algorithm = Algorithm::kRing;
  plan.protocol = protocol;
  plan.transport = group.rings.transport;
  plan.channels = group.rings.ctas;
  plan.believed = believed(group, kind, protocol, latency.nominal());
  plan.latency = timed(latency, protocol, group.rings.inside, timing);
  plan.pipelining = pipelining_of(timing, group.rings.transport);
  Share share = ring_hop_share(kind, group.size());
  share.den *= static_cast<std::int64_t>(group.rings.orders.size());
  plan.uses = load.uses(share, efficiencies(group, protocol));
  settle_rate(plan, group.wiring.fabric(),
              lower_of(rate_cap(group, kind, protocol), socket_cap(group, protocol, plan.uses)));
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
  return {Algorithm::kRing, runs, missing_parameter, ring_hop_share, plans};
}

}  // namespace heddle::collective
