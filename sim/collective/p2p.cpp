#include "sim/collective/p2p.h"

#include <cstddef>

#include "sim/collective/host_staging.h"
#include "sim/collective/latency.h"
#include "sim/collective/network_pairs.h"
#include "sim/collective/path_efficiency.h"
#include "sim/collective/ring_latency.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

Share port_share(CollectiveKind kind, int ranks) {
  return kind == CollectiveKind::kAllToAll ? Share{ranks - 1, ranks} : Share{1, 1};
}

/// The rail on which a member receives: its near NIC's; members near none are spread evenly.
int rail_of(const Wiring& wiring, int position) {
  const int machine = wiring.machine_of(position);
  const int port = wiring.nearest_port_of(position);
  const fabric::DeviceId nic = wiring.ports(machine)[static_cast<std::size_t>(port)].nic;
  const int rails = wiring.rail_count();
  if (reaches_directly(wiring.fabric().path_type(wiring.member(position), nic))) {
    return port % rails;
  }
  const auto members = static_cast<int>(wiring.members_of(machine).size());
  return wiring.local(position) * rails / members;
}

/// Members that receive on each rail, by machine.
using Receivers = std::vector<std::vector<std::int64_t>>;

Receivers receivers_of(const Wiring& wiring) {
  const std::vector<std::int64_t> none(static_cast<std::size_t>(wiring.rail_count()), 0);
  Receivers receivers(static_cast<std::size_t>(wiring.machine_count()), none);
  for (int member = 0; member < wiring.size(); ++member) {
    const auto machine = static_cast<std::size_t>(wiring.machine_of(member));
    ++receivers[machine][static_cast<std::size_t>(rail_of(wiring, member))];
  }
  return receivers;
}

void cross_inside(LinkLoad& load, const Wiring& wiring) {
  for (int machine = 0; machine < wiring.machine_count(); ++machine) {
    for (int from : wiring.members_of(machine)) {
      for (int to : wiring.members_of(machine)) {
        if (from != to) load.cross(wiring.hop(from, to));
      }
    }
  }
}

void cross(LinkLoad& load, const std::vector<fabric::LinkId>& links, std::int64_t times) {
  for (fabric::LinkId link : links) load.cross(link, Transport::kNetwork, times);
}

/// Between a machine's members and its NICs: what goes to and comes from all other machines.
void cross_edges(LinkLoad& load, const Wiring& wiring, int machine,
                 const std::vector<std::int64_t>& all_receivers,
                 const std::vector<std::int64_t>& own) {
  const auto beyond = static_cast<std::int64_t>(wiring.size()) -
                      static_cast<std::int64_t>(wiring.members_of(machine).size());
  for (int member : wiring.members_of(machine)) {
    for (int rail = 0; rail < wiring.rail_count(); ++rail) {
      const auto at = static_cast<std::size_t>(rail);
      cross(load, wiring.egress(member, rail), all_receivers[at] - own[at]);
    }
    cross(load, wiring.ingress(rail_of(wiring, member), member), beyond);
  }
}

void cross_network(LinkLoad& load, const Wiring& wiring, const Receivers& receivers, int rail) {
  std::vector<NetworkEnd> ends;
  for (int machine = 0; machine < wiring.machine_count(); ++machine) {
    const auto at = static_cast<std::size_t>(rail);
    ends.push_back({wiring.ports(machine)[at].nic,
                    static_cast<std::int64_t>(wiring.members_of(machine).size()),
                    receivers[static_cast<std::size_t>(machine)][at]});
  }
  cross_network_pairs(load, wiring.fabric(), ends);
}

/// In units of S/n.
LinkLoad all_to_all_load(const Wiring& wiring) {
  LinkLoad load;
  cross_inside(load, wiring);
  if (wiring.machine_count() == 1) return load;
  const Receivers receivers = receivers_of(wiring);
  std::vector<std::int64_t> all(static_cast<std::size_t>(wiring.rail_count()), 0);
  for (const std::vector<std::int64_t>& of_machine : receivers) {
    for (std::size_t rail = 0; rail < all.size(); ++rail) all[rail] += of_machine[rail];
  }
  for (int machine = 0; machine < wiring.machine_count(); ++machine) {
    cross_edges(load, wiring, machine, all, receivers[static_cast<std::size_t>(machine)]);
  }
  for (int rail = 0; rail < wiring.rail_count(); ++rail) {
    cross_network(load, wiring, receivers, rail);
  }
  return load;
}

/// In units of S.
LinkLoad send_recv_load(const Wiring& wiring) {
  LinkLoad load;
  for (int from = 0; from < wiring.size(); ++from) {
    load.cross(wiring.any_hop(from, (from + 1) % wiring.size()));
  }
  return load;
}

/// One step: every pair is at it at once.
Latency latency_of(const Group& group, Protocol protocol) {
  const NcclTuning& tuning = *group.tuning;
  Latency latency{of(tuning.ring_base, protocol), {}, {}};
  if (group.wiring.machine_count() > 1) {
    latency.network = network_step(of(tuning.network.ring_hop, protocol), group.comm(), protocol);
  } else {
    latency.inside = inner_hop(group, protocol);
  }
  return latency;
}

/// The CTAs that copy through host memory, where some hop does.
std::optional<Bandwidth> rate_cap(const Group& group, CollectiveKind kind, Protocol protocol) {
  if (group.rings.inside != Transport::kHostMemory) return std::nullopt;
  const Bandwidth ctas =
      rate_per_cta(group.comm().host_staging, group.rings.crosses_socket) * group.rings.ctas;
  return scale(payload_rate(ctas, port_share(kind, group.size())),
               protocol_efficiency(*group.tuning, protocol));
}

Plan plan(const Group& group, CollectiveKind kind, Protocol protocol, const LinkLoad& load) {
  const Latency latency = latency_of(group, protocol);
  const TimingTuning& timing = group.tuning->timing;
  Plan plan;
  plan.algorithm = Algorithm::kP2p;
  plan.protocol = protocol;
  plan.transport = group.rings.transport;
  plan.channels = group.rings.ctas;
  plan.latency = timed(latency, protocol, group.rings.inside, timing);
  plan.pipelining = pipelining_of(timing, group.rings.transport);
  const Share unit = kind == CollectiveKind::kAllToAll ? Share{1, group.size()} : Share{1, 1};
  plan.uses = load.uses(unit, efficiencies(group, protocol));
  settle_rate(plan, group.wiring.fabric(),
              lower_of(rate_cap(group, kind, protocol), socket_cap(group, protocol, plan.uses)));
  // NCCL has no estimate for these; the protocol is chosen by what they achieve.
  plan.believed.latency = latency.nominal();
  plan.believed.rate = plan.rate;
  return plan;
}

std::vector<Plan> plans(const Group& group, CollectiveKind kind) {
  const LinkLoad load = kind == CollectiveKind::kAllToAll ? all_to_all_load(group.wiring)
                                                          : send_recv_load(group.wiring);
  return {plan(group, kind, Protocol::kLl, load), plan(group, kind, Protocol::kSimple, load)};
}

/// Its traffic grows with the square of the machines: a folded cluster does not show it.
std::optional<Refusal> refuse(const Group& group) {
  if (group.machines() == group.wiring.machine_count()) return missing_parameter(group);
  return Refusal{"folded-cluster", "all-to-all and send/recv are not modelled on folded clusters",
                 "ask for fewer machines"};
}

}  // namespace

AlgorithmSpec p2p_algorithm() {
  return {Algorithm::kP2p, schedule::is_point_to_point, refuse, port_share, plans};
}

}  // namespace heddle::collective
