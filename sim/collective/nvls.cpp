#include "sim/collective/nvls.h"

#include <algorithm>

#include "sim/collective/latency.h"
#include "sim/collective/link_load.h"
#include "sim/collective/switch_ports.h"

namespace heddle::collective {
namespace {

using fabric::LinkId;
using schedule::CollectiveKind;

bool runs_all_reduce(CollectiveKind kind) {
  return kind == CollectiveKind::kAllReduce;
}

Share port_share(CollectiveKind, int ranks) {
  const int heads = head_count(static_cast<std::size_t>(ranks));
  return {heads + 1, heads};
}

std::optional<Refusal> refuse(const Group& group) {
  const std::string hint = "leave the algorithm out, or use ring";
  if (const auto refusal = missing_switch_reduction(group)) return refusal;
  if (group.wiring.machine_count() > 1) {
    return Refusal{"no-nvls", "NVLS alone stays inside one machine; nvlstree does not", hint};
  }
  if (switch_ports(group.wiring, 0).empty()) {
    return Refusal{"no-nvls", "the members do not share one NVSwitch, which NVLS needs", hint};
  }
  if (!head_speed(group)) {
    return Refusal{"no-nvls", "the NVSwitch ports are too slow for NVLS with this many members",
                   hint};
  }
  return std::nullopt;
}

/// NCCL's figure for the payload rate (src/graph/tuning.cc), one node.
Bandwidth nominal_rate(const Group& group, Bandwidth head) {
  const int n = group.size();
  const int heads = head_count(static_cast<std::size_t>(n));
  if (const auto share = group.tuning->nvls->payload_share) return scale(head * heads, *share);
  const double per_head = 2.0 * group.tuning->nvls->efficiency * (n - 1) / n;
  const Bandwidth bus = std::min(scale(head, per_head), group.tuning->ring_speeds.front()) * heads;
  return payload_rate(bus, {2 * (n - 1), n});
}

std::vector<Plan> plans(const Group& group, CollectiveKind kind) {
  const std::vector<LinkId> ports = switch_ports(group.wiring, 0);
  const int n = group.size();
  Plan plan;
  plan.algorithm = Algorithm::kNvls;
  plan.protocol = Protocol::kSimple;
  plan.transport = Transport::kNvlink;
  plan.channels = group.tuning->nvls->ctas;
  const PathTiming& timing = group.tuning->timing.nvls;
  plan.believed.latency = group.tuning->nvls->latency;
  plan.believed.rate = nominal_rate(group, *head_speed(group));
  plan.latency = scaled(plan.believed.latency, of(timing.latency_factor, plan.protocol));
  plan.pipelining = {timing.sync, timing.sync_until};
  LinkLoad load;
  for (LinkId port : ports) load.cross(port, Transport::kNvlink);
  plan.uses = load.uses(port_share(kind, n), {*group.comm().nvls_efficiency, 1, 1, 1});
  settle_rate(plan, group.wiring.fabric(), std::nullopt);
  return {plan};
}

}  // namespace

AlgorithmSpec nvls_algorithm() {
  return {Algorithm::kNvls, runs_all_reduce, refuse, port_share, plans};
}

}  // namespace heddle::collective
