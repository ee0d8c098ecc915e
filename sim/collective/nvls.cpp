#include "sim/collective/nvls.h"

#include <algorithm>

#include "sim/collective/link_load.h"

namespace heddle::collective {
namespace {

using fabric::LinkId;
using schedule::CollectiveKind;

bool runs_all_reduce(CollectiveKind kind) {
  return kind == CollectiveKind::kAllReduce;
}

Share port_share(CollectiveKind, int ranks) {
  return {ranks + 1, ranks};
}

/// Every member's link into and out of the one switch they share; empty if there is none.
std::vector<LinkId> switch_ports(const Group& group) {
  std::vector<LinkId> ports;
  const fabric::Fabric& fabric = group.wiring.fabric();
  fabric::DeviceId hub;
  for (int i = 0; i < group.size(); ++i) {
    const Hop& out = group.wiring.hop(i, (i + 1) % group.size());
    const Hop& in = group.wiring.hop((i + 1) % group.size(), i);
    if (out.transport != Transport::kNvlink || out.links.size() != 2) return {};
    const fabric::DeviceId middle = fabric.link(out.links.front()).to;
    if (fabric.device(middle).kind != fabric::DeviceKind::kNvSwitch) return {};
    if (in.links.size() != 2 || (hub.valid() && middle != hub)) return {};
    hub = middle;
    ports.push_back(out.links.front());
    ports.push_back(in.links.back());
  }
  return ports;
}

/// The fastest candidate of which a port holds n + 1: n heads, its own counted twice.
std::optional<Bandwidth> head_speed(const Group& group, const std::vector<LinkId>& ports) {
  Bandwidth port = group.wiring.fabric().link(ports.front()).capacity;
  for (LinkId link : ports) port = std::min(port, group.wiring.fabric().link(link).capacity);
  for (Bandwidth speed : group.tuning->ring_speeds) {
    if (speed * (group.size() + 1) <= port) return speed;
  }
  return std::nullopt;
}

std::optional<Refusal> refuse(const Group& group) {
  const std::string& name = group.wiring.fabric().name();
  const std::string hint = "leave the algorithm out, or use ring";
  if (!group.settings.p2p) return Refusal{"no-nvls", "NVLS needs peer-to-peer, which is off", hint};
  if (!group.settings.nvls) return Refusal{"no-nvls", "NVLS is switched off", hint};
  if (group.wiring.machine_count() > 1) {
    return Refusal{"no-nvls", "NVLS alone stays inside one machine", hint};
  }
  if (!group.comm().nvls_efficiency || !group.tuning->nvls) {
    return Refusal{"no-nvls", name + " has no in-switch reduction (NVLS)", hint};
  }
  const std::vector<LinkId> ports = switch_ports(group);
  if (ports.empty()) {
    return Refusal{"no-nvls", "the members do not share one NVSwitch, which NVLS needs", hint};
  }
  if (!head_speed(group, ports)) {
    return Refusal{"no-nvls", "the NVSwitch ports are too slow for NVLS with this many members",
                   hint};
  }
  return std::nullopt;
}

/// NCCL's figure for the payload rate (src/graph/tuning.cc), one node.
Bandwidth nominal_rate(const Group& group, Bandwidth head) {
  const int n = group.size();
  if (const auto share = group.tuning->nvls->payload_share) return scale(head * n, *share);
  const double per_head = 2.0 * group.tuning->nvls->efficiency * (n - 1) / n;
  const Bandwidth bus = std::min(scale(head, per_head), group.tuning->ring_speeds.front()) * n;
  return payload_rate(bus, {2 * (n - 1), n});
}

std::vector<Plan> plans(const Group& group, CollectiveKind kind) {
  const std::vector<LinkId> ports = switch_ports(group);
  const int n = group.size();
  Plan plan;
  plan.algorithm = Algorithm::kNvls;
  plan.protocol = Protocol::kSimple;
  plan.transport = Transport::kNvlink;
  plan.channels = group.tuning->nvls->ctas;
  plan.latency = group.tuning->nvls->latency;
  plan.nominal = nominal_rate(group, *head_speed(group, ports));
  LinkLoad load;
  for (LinkId port : ports) load.cross(port, Transport::kNvlink);
  plan.uses = load.uses(port_share(kind, n), {*group.comm().nvls_efficiency, 1, 1});
  settle_rate(plan, group.wiring.fabric(), std::nullopt);
  return {plan};
}

}  // namespace

AlgorithmSpec nvls_algorithm() {
  return {Algorithm::kNvls, runs_all_reduce, refuse, port_share, plans};
}

}  // namespace heddle::collective
