#include "sim/collective/pat.h"

#include <algorithm>

#include "sim/collective/latency.h"
#include "sim/collective/machine_trees.h"
#include "sim/collective/path_efficiency.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

bool runs(CollectiveKind kind) {
  return kind == CollectiveKind::kAllGather || kind == CollectiveKind::kReduceScatter;
}

Share port_share(CollectiveKind, int ranks) {
  return {ranks - 1, ranks};
}

std::optional<Refusal> refuse(const Group& group) {
  const std::string hint = "leave the algorithm out, or use ring";
  if (!group.tuning->pat) {
    return Refusal{"no-pat", "this version of NCCL has no PAT, which came with 2.23", hint};
  }
  if (group.machines() != group.size()) {
    return Refusal{"no-pat", "PAT needs one GPU per machine", hint};
  }
  return missing_parameter(group);
}

LinkLoad load_of(const Group& group, CollectiveKind kind) {
  LinkLoad load;
  const int n = group.size();
  const int here = group.wiring.size();  // fewer on a folded cluster, whose far ranks are all alike
  for (int distance = 1; distance < n; distance *= 2) {
    for (int rank = 0; rank < here; ++rank) {
      const int other = (rank + (here < n ? std::min(distance, here / 2) : distance)) % here;
      const bool forward = kind == CollectiveKind::kAllGather;
      load.cross(forward ? group.wiring.any_hop(rank, other) : group.wiring.any_hop(other, rank),
                 parts_over(distance, n));
    }
  }
  return load;
}

std::vector<Plan> plans(const Group& group, CollectiveKind kind) {
  const PatTuning& pat = *group.tuning->pat;
  const TimingTuning& timing = group.tuning->timing;
  const int n = group.size();
  const Latency latency{
      pat.base + pat.per_rank * n,
      {},
      network_step(pat.network_hop, group.comm(), Protocol::kSimple) * tree_levels(n)};
  Plan plan;
  plan.algorithm = Algorithm::kPat;
  plan.transport = Transport::kNetwork;
  plan.channels = group.rings.ctas;
  plan.believed.latency = latency.nominal();
  plan.believed.rate = scale(group.rings.nominal_bus, pat.efficiency);
  plan.latency = timed(latency, Protocol::kSimple, Transport::kNvlink, timing);
  plan.pipelining = pipelining_of(timing, Transport::kNetwork);
  plan.uses = load_of(group, kind).uses({1, n}, efficiencies(group, Protocol::kSimple));
  settle_rate(plan, group.wiring.fabric(), socket_cap(group, plan.protocol, plan.uses));
  return {plan};
}

}  // namespace

int parts_over(int distance, int ranks) {
  return distance < ranks ? (ranks - 1 - distance) / (2 * distance) + 1 : 0;
}

AlgorithmSpec pat_algorithm() {
  return {Algorithm::kPat, runs, refuse, port_share, plans};
}

}  // namespace heddle::collective
