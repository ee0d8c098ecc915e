#include "sim/collective/ring_latency.h"

#include <algorithm>

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

int steps(CollectiveKind kind, int ranks) {
  if (kind == CollectiveKind::kAllReduce) return 2 * (ranks - 1);
  return is_chain(kind) ? ranks : ranks - 1;
}

int network_steps(CollectiveKind kind, int machines) {
  return kind == CollectiveKind::kAllReduce ? 2 * (machines - 1) : machines - 1;
}

Duration network_hop(const Group& group, Protocol protocol) {
  const NcclTuning& tuning = *group.tuning;
  const bool is_alone = group.size() == group.machines();
  const ProtocolLatency& hop = is_alone ? tuning.tree.network_hop : tuning.network.ring_hop;
  return network_step(of(hop, protocol), group.comm(), protocol);
}

}  // namespace

Duration inner_hop(const Group& group, Protocol protocol) {
  const NcclTuning& tuning = *group.tuning;
  if (group.rings.inside == Transport::kNetwork) return network_hop(group, protocol);
  return of(
      group.rings.inside == Transport::kNvlink ? tuning.ring_nvlink_hop : tuning.ring_pcie_hop,
      protocol);
}

bool is_chain(CollectiveKind kind) {
  return kind == CollectiveKind::kBroadcast || kind == CollectiveKind::kReduce;
}

Latency ring_latency(const Group& group, CollectiveKind kind, Protocol protocol) {
  const NcclTuning& tuning = *group.tuning;
  const int machines = group.machines();
  const Duration base = of(tuning.ring_base, protocol);
  const Duration inner = inner_hop(group, protocol);
  const int all = steps(kind, group.size());
  if (machines == 1) return {base, inner * all, {}};
  const Duration post = tuning.network.post_intel * (protocol == Protocol::kSimple ? 3 : 1);
  const int between = network_steps(kind, machines);
  return {base, std::max(inner, post) * (all - between), network_hop(group, protocol) * between};
}

}  // namespace heddle::collective
