#include "sim/collective/wiring.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/base/check.h"
#include "sim/collective/wiring_refusals.h"

namespace heddle::collective {
namespace {

using fabric::DeviceId;
using fabric::LinkId;

template <typename Route>
void append(std::vector<LinkId>& links, const Route& route) {
  links.insert(links.end(), route.begin(), route.end());
}

bool members_are_valid(const fabric::Fabric& fabric, const std::vector<DeviceId>& members,
                       Diagnostics& out) {
  const int errors = out.error_count();
  std::set<DeviceId> seen;
  for (const DeviceId member : members) {
    if (fabric.device(member).kind != fabric::DeviceKind::kGpu) refuse_kind(fabric, member, out);
    if (!seen.insert(member).second) refuse_duplicate(fabric, member, out);
  }
  if (members.empty()) refuse_empty(fabric, out);
  return out.error_count() == errors;
}

}  // namespace

std::optional<Wiring> Wiring::create(const fabric::Fabric& fabric, std::vector<DeviceId> members,
                                     const CommSettings& settings, Diagnostics& out) {
  if (!members_are_valid(fabric, members, out)) return std::nullopt;
  const int errors = out.error_count();
  Wiring wiring;
  wiring.fabric_ = &fabric;
  wiring.members_ = std::move(members);
  wiring.group_by_machine();
  wiring.represented_machines_ = wiring.count_represented();
  for (Machine& machine : wiring.machines_) wiring.connect_inside(machine, settings, out);
  const bool replaces_staging = !settings.shm && wiring.stages();
  if (wiring.machine_count() > 1 || replaces_staging) wiring.find_ports(out);
  if (out.error_count() > errors) return std::nullopt;
  for (Machine& machine : wiring.machines_) {
    if (replaces_staging) wiring.replace_staging(machine);
  }
  return wiring;
}

void Wiring::group_by_machine() {
  std::map<int, int> machine_of_node;
  for (int position = 0; position < size(); ++position) {
    const int node = fabric_->device(member(position)).node;
    const auto [at, is_new] = machine_of_node.try_emplace(node, machine_count());
    if (is_new) machines_.push_back({node, {}, {}, {}, {}});
    Machine& machine = machines_[static_cast<std::size_t>(at->second)];
    places_.push_back({at->second, static_cast<int>(machine.members.size())});
    machine.members.push_back(position);
  }
}

int Wiring::count_represented() const {
  const int count = machine_count();
  if (!fabric_->is_folded() || count == 1) return count;
  const int stride = machines_[1].node - machines_[0].node;
  for (int m = 0; m < count; ++m) {
    const bool alike = at(m).members.size() == at(0).members.size();
    if (!alike || at(m).node != at(0).node + m * stride) return count;
  }
  const bool everywhere = stride > 0 && at(0).node < stride &&
                          count * stride == fabric_->node_count() &&
                          fabric_->represented_nodes() % stride == 0;
  return everywhere ? fabric_->represented_nodes() / stride : count;
}

void Wiring::connect_inside(Machine& machine, const CommSettings& settings,
                            Diagnostics& out) const {
  const std::size_t n = machine.members.size();
  machine.hops.resize(n * n);
  for (std::size_t from = 0; from < n; ++from) {
    for (std::size_t to = 0; to < n; ++to) {
      if (from == to) continue;
      const DeviceId a = member(machine.members[from]);
      const DeviceId b = member(machine.members[to]);
      Hop& hop = machine.hops[from * n + to];
      hop = local_hop(*fabric_, a, b, settings);
      const bool is_reported = from > to && machine.hops[to * n + from].links.empty();
      if (hop.links.empty() && !is_reported) refuse_no_path(*fabric_, a, b, out);
    }
  }
}

const Hop& Wiring::hop(int from, int to) const {
  const Machine& machine = at(machine_of(from));
  HEDDLE_CHECK(machine_of(to) == machine_of(from), "a stored hop stays in its machine");
  const auto row = static_cast<std::size_t>(local(from)) * machine.members.size();
  return machine.hops[row + static_cast<std::size_t>(local(to))];
}

void Wiring::find_ports(Diagnostics& out) {
  const int errors = out.error_count();
  if (!fabric_->comm().network) refuse_no_network(*fabric_, machine_count(), out);
  for (Machine& machine : machines_) {
    std::vector<DeviceId> gpus;
    for (int position : machine.members) gpus.push_back(member(position));
    machine.ports = choose_nics(*fabric_, machine.members, gpus, fabric_->node_nics(machine.node));
    if (machine.ports.empty()) refuse_no_nic(*fabric_, gpus.front(), out);
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      machine.nearest_port.push_back(nearest_port(*fabric_, gpus[i], i, machine.ports));
    }
  }
  if (machine_count() == 1) return;
  std::size_t rails = at(0).ports.size();
  for (const Machine& machine : machines_) rails = std::min(rails, machine.ports.size());
  rails_ = static_cast<int>(rails);
  if (out.error_count() == errors) check_network(out);
}

bool Wiring::stages() const {
  return std::any_of(machines_.begin(), machines_.end(), [](const Machine& machine) {
    return std::any_of(machine.hops.begin(), machine.hops.end(),
                       [](const Hop& hop) { return hop.transport == Transport::kHostMemory; });
  });
}

/// Each rail from every machine to the next, which is what rings and trees use.
void Wiring::check_network(Diagnostics& out) const {
  for (int machine = 0; machine + 1 < machine_count(); ++machine) {
    for (int rail = 0; rail < rail_count(); ++rail) {
      const DeviceId from = at(machine).ports[static_cast<std::size_t>(rail)].nic;
      const DeviceId to = at(machine + 1).ports[static_cast<std::size_t>(rail)].nic;
      if (fabric_->network_route(from, to).empty()) refuse_no_route(*fabric_, from, to, out);
    }
  }
}

/// The member whose PCIe the bytes take to the NIC.
int Wiring::relay(int from, int port) const {
  const DeviceId nic = port_of(from, port).nic;
  if (!fabric_->comm().network->gpu_direct) return from;
  if (reaches_directly(fabric_->path_type(member(from), nic))) return from;
  for (int other : members_of(machine_of(from))) {
    if (other == from || hop(from, other).transport != Transport::kNvlink) continue;
    if (reaches_directly(fabric_->path_type(member(other), nic))) return other;
  }
  return from;
}

fabric::PathType Wiring::egress_path(int from, int port) const {
  const bool is_relayed = relay(from, port) != from;
  return is_relayed ? fabric::PathType::kPxn
                    : fabric_->path_type(member(from), port_of(from, port).nic);
}

fabric::RouteKind Wiring::kind_of_way(int position, DeviceId nic) const {
  const bool near = reaches_directly(fabric_->path_type(member(position), nic));
  const bool direct = fabric_->comm().network->gpu_direct && near;
  return direct ? fabric::RouteKind::kPeer : fabric::RouteKind::kHostStaged;
}

std::vector<LinkId> Wiring::egress(int from, int port) const {
  const DeviceId nic = port_of(from, port).nic;
  const int last = relay(from, port);
  std::vector<LinkId> links;
  append(links, hop(from, last).links);
  append(links, fabric_->route(member(last), nic, kind_of_way(last, nic)));
  return links;
}

std::vector<LinkId> Wiring::ingress(int port, int to) const {
  const DeviceId nic = port_of(to, port).nic;
  std::vector<LinkId> links;
  append(links, fabric_->route(nic, member(to), kind_of_way(to, nic)));
  return links;
}

Hop Wiring::network_hop(int from, int to, int out, int in) const {
  Hop hop;
  hop.transport = Transport::kNetwork;
  hop.path = fabric::PathType::kNet;
  hop.links = egress(from, out);
  append(hop.links, fabric_->network_route(port_of(from, out).nic, port_of(to, in).nic));
  append(hop.links, ingress(in, to));
  return hop;
}

Hop Wiring::any_hop(int from, int to) const {
  if (machine_of(from) == machine_of(to)) return hop(from, to);
  return network_hop(from, to, nearest_port_of(from), nearest_port_of(to));
}

/// NCCL_SHM_DISABLE: what would be staged goes out through a NIC and in again.
void Wiring::replace_staging(Machine& machine) const {
  const std::size_t n = machine.members.size();
  for (std::size_t cell = 0; cell < machine.hops.size(); ++cell) {
    Hop& hop = machine.hops[cell];
    if (hop.transport != Transport::kHostMemory) continue;
    const std::size_t from = cell / n;
    const std::size_t to = cell % n;
    hop = network_hop(machine.members[from], machine.members[to], machine.nearest_port[from],
                      machine.nearest_port[to]);
  }
}

}  // namespace heddle::collective
