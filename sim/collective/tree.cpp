#include "sim/collective/tree.h"

#include <algorithm>

#include "sim/collective/host_staging.h"
#include "sim/collective/latency.h"
#include "sim/collective/machine_trees.h"
#include "sim/collective/path_efficiency.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

bool runs(CollectiveKind kind) {
  return kind == CollectiveKind::kAllReduce;
}

Share port_share(CollectiveKind, int ranks) {
  return {ranks == 2 ? 1 : 2, 1};
}

Hop machine_hop(const Group& group, std::size_t ring, const std::vector<std::vector<int>>& chains,
                int from, int to) {
  const auto head = [&](int machine) { return chains[static_cast<std::size_t>(machine)].front(); };
  return group.wiring.network_hop(head(from), head(to),
                                  port_at(group.wiring, group.rings, ring, head(from)),
                                  port_at(group.wiring, group.rings, ring, head(to)));
}

LinkLoad load_of(const Group& group) {
  LinkLoad load;
  for (const Bundle& bundle : bundles_of(group.rings)) {
    const auto chains = machine_chains(group.wiring, group.rings.orders[bundle.ring]);
    cross_chains(load, group.wiring, chains, bundle.rings);
    const auto hop = [&](int from, int to) {
      return machine_hop(group, bundle.ring, chains, from, to);
    };
    cross_machine_trees(load, group.wiring.machine_count(), hop, bundle.rings);
  }
  return load;
}

Latency latency_of(const Group& group, Protocol protocol) {
  const TreeTuning& tree = group.tuning->tree;
  const int machines = group.machines();
  const Duration network = network_step(of(tree.network_hop, protocol), group.comm(), protocol);
  Duration inner = of(tree.pcie_hop, protocol);
  if (group.rings.inside == Transport::kNvlink) inner = of(tree.nvlink_hop, protocol);
  if (group.rings.inside == Transport::kNetwork) inner = network;
  return {of(tree.base, protocol), inner * (2 * (group.size() / machines - 1)),
          network * (2 * tree_levels(machines))};
}

/// NCCL's figure for the bus bandwidth of a protocol (src/graph/tuning.cc).
Bandwidth nominal_bus(const Group& group, Protocol protocol) {
  const TreeTuning& tree = group.tuning->tree;
  const int machines = group.machines();
  const int channels = group.rings.channels;
  Bandwidth bus = std::min(scale(group.rings.nominal_bus, tree.efficiency),
                           at_scale(tree.channel_cap, machines) * channels);
  if (protocol == Protocol::kLl) {
    bus = std::min(scale(bus, tree.ll_efficiency), ll_bus_cap(*group.tuning, machines));
  }
  if (protocol == Protocol::kLl128) {
    const double share = machines == 1 ? tree.ll128_share_inside : tree.ll128_share_across;
    bus = std::min(scale(bus, share), at_scale(tree.ll128_channel_cap, machines) * channels);
  }
  return scale(bus, tree.plain_share);
}

/// What a protocol does not exceed, and the CTAs where they copy through host memory, each byte up
/// and down again. NCCL's cap on a channel of Simple chooses only.
std::optional<Bandwidth> rate_cap(const Group& group, Protocol protocol) {
  const int machines = group.machines();
  std::optional<Bandwidth> bus;
  if (protocol == Protocol::kLl) bus = ll_bus_cap(*group.tuning, machines);
  if (protocol == Protocol::kLl128) {
    bus = at_scale(group.tuning->tree.ll128_channel_cap, machines) * group.rings.channels;
  }
  if (group.rings.inside == Transport::kHostMemory) {
    const Bandwidth ctas = scale(
        rate_per_cta(group.comm().host_staging, group.rings.crosses_socket) * group.rings.ctas,
        protocol_efficiency(*group.tuning, protocol));
    bus = std::min(ctas, bus.value_or(ctas));
  }
  return bus ? std::optional(payload_rate(*bus, {2, 1})) : std::nullopt;
}

Plan plan(const Group& group, Protocol protocol, const LinkLoad& load) {
  const Latency latency = latency_of(group, protocol);
  const TimingTuning& timing = group.tuning->timing;
  Plan plan;
  plan.algorithm = Algorithm::kTree;
  plan.protocol = protocol;
  plan.transport = group.rings.transport;
  plan.channels = group.rings.ctas;
  plan.believed.latency = latency.nominal();
  plan.believed.rate = payload_rate(nominal_bus(group, protocol), {2, 1});
  plan.believed.size_share = of(group.tuning->tree.size_share, protocol);
  plan.latency = timed(latency, protocol, group.rings.inside, timing);
  plan.pipelining = pipelining_of(timing, group.rings.transport);
  const Share share{1, 2 * static_cast<std::int64_t>(group.rings.orders.size())};
  plan.uses = load.uses(share, efficiencies(group, protocol));
  settle_rate(plan, group.wiring.fabric(),
              lower_of(rate_cap(group, protocol), socket_cap(group, protocol, plan.uses)));
  return plan;
}

std::vector<Plan> plans(const Group& group, CollectiveKind) {
  const LinkLoad load = load_of(group);
  std::vector<Plan> found;
  for (Protocol protocol : {Protocol::kLl, Protocol::kLl128, Protocol::kSimple}) {
    if (allows(group, protocol)) found.push_back(plan(group, protocol, load));
  }
  return found;
}

}  // namespace

AlgorithmSpec tree_algorithm() {
  return {Algorithm::kTree, runs, missing_parameter, port_share, plans};
}

}  // namespace heddle::collective
