#include "sim/collective/nvls_tree.h"

#include <algorithm>

#include "sim/collective/latency.h"
#include "sim/collective/machine_trees.h"
#include "sim/collective/path_efficiency.h"
#include "sim/collective/switch_ports.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

bool runs(CollectiveKind kind) {
  return kind == CollectiveKind::kAllReduce;
}

int members_per_machine(const Group& group) {
  return static_cast<int>(group.wiring.members_of(0).size());
}

bool are_equal_machines(const Group& group) {
  for (int machine = 1; machine < group.wiring.machine_count(); ++machine) {
    if (group.wiring.members_of(machine).size() != group.wiring.members_of(0).size()) return false;
  }
  return true;
}

std::optional<Refusal> refuse(const Group& group) {
  const auto no = [](std::string reason) {
    return Refusal{"no-nvlstree", std::move(reason),
                   "leave the algorithm out, or use ring or tree"};
  };
  if (group.wiring.machine_count() == 1) return no("NVLSTree needs several machines; here is one");
  if (const auto refusal = missing_switch_reduction(group)) return no(refusal->reason);
  if (!group.tuning->nvls_tree) return no("this version of NCCL has no NVLSTree");
  if (!are_equal_machines(group)) return no("NVLSTree needs as many members in every machine");
  for (int machine = 0; machine < group.wiring.machine_count(); ++machine) {
    if (switch_ports(group.wiring, machine).empty()) {
      return no("the members of a machine do not share one NVSwitch, which NVLSTree needs");
    }
  }
  if (!head_speed(group)) return no("the NVSwitch ports are too slow for so many members");
  return missing_parameter(group);
}

Share port_share(CollectiveKind, int ranks) {
  return {ranks + 1, ranks};
}

/// In units of S / (2 g).
LinkLoad load_of(const Group& group) {
  LinkLoad load;
  const int g = members_per_machine(group);
  const int machines = group.wiring.machine_count();
  for (int machine = 0; machine < machines; ++machine) {
    for (fabric::LinkId port : switch_ports(group.wiring, machine)) {
      load.cross(port, Transport::kNvlink, 2 * (g + 1));
    }
  }
  for (int head = 0; head < g; ++head) {
    const auto member = [&](int machine) {
      return group.wiring.members_of(machine)[static_cast<std::size_t>(head)];
    };
    cross_machine_trees(load, machines, [&](int from, int to) {
      return group.wiring.any_hop(member(from), member(to));
    });
  }
  return load;
}

/// NCCL's figure for the payload rate: that of NVLS, held back by the rings between machines.
Bandwidth nominal_rate(const Group& group) {
  const NvlsTreeTuning& tree = *group.tuning->nvls_tree;
  const NvlsTuning& nvls = *group.tuning->nvls;
  const int g = members_per_machine(group);
  const int machines = group.machines();
  const Bandwidth between = scale(group.rings.nominal_bus, 1.0 / g);
  const double share = machines == 2 ? tree.speed_share_two : tree.speed_share_more;
  Bandwidth speed = *head_speed(group);
  if (!nvls.payload_share) speed = scale(speed, 2.0 * nvls.efficiency * (g - 1) / g);
  speed = std::min(speed, scale(between, share));
  const Bandwidth cap = at_scale(tree.channel_cap, machines);
  if (cap.bytes_per_second > 0) speed = std::min(speed, cap);
  if (nvls.payload_share) return scale(speed * g, *nvls.payload_share);
  return payload_rate(speed * g, {2 * (group.size() - 1), group.size()});
}

std::vector<Plan> plans(const Group& group, CollectiveKind) {
  const NvlsTreeTuning& tree = *group.tuning->nvls_tree;
  const TimingTuning& timing = group.tuning->timing;
  const Latency latency{{},
                        tree.latency,
                        network_step(tree.network_hop, group.comm(), Protocol::kSimple) *
                            (2 * tree_levels(group.machines()))};
  Plan plan;
  plan.algorithm = Algorithm::kNvlsTree;
  plan.transport = Transport::kNetwork;
  plan.channels = group.tuning->nvls->ctas;
  plan.believed.latency = latency.nominal();
  plan.believed.rate = nominal_rate(group);
  plan.latency = timed(latency, Protocol::kSimple, Transport::kNvlink, timing);
  plan.pipelining = pipelining_of(timing, Transport::kNetwork);
  Efficiencies achieved = efficiencies(group, Protocol::kSimple);
  achieved[static_cast<std::size_t>(Transport::kNvlink)] = *group.comm().nvls_efficiency;
  plan.uses = load_of(group).uses({1, 2 * members_per_machine(group)}, achieved);
  settle_rate(plan, group.wiring.fabric(), socket_cap(group, plan.protocol, plan.uses));
  return {plan};
}

}  // namespace

AlgorithmSpec nvls_tree_algorithm() {
  return {Algorithm::kNvlsTree, runs, refuse, port_share, plans};
}

}  // namespace heddle::collective
