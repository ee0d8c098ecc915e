#pragma once
// What lies between the members of a communicator, decided by NCCL's rules (path_rules.h inside a
// machine, nic_ports.h between machines).
//
// Members are grouped by machine, machines in order of their first member, members in given order.
// Hops inside a machine are stored; hops between machines are put together on demand, since there
// are n^2 of them:
//
//   member -> [over NVLink to a GPU near the NIC: PXN] -> NIC -> network -> NIC -> member

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/collective/nic_ports.h"
#include "sim/collective/path_rules.h"
#include "sim/collective/settings.h"
#include "sim/fabric/fabric.h"

namespace heddle::collective {

class Wiring {
 public:
  /// Refuses duplicates, members that are not GPUs, pairs of one machine without a path, machines
  /// without a NIC or a network between them; all of them are reported.
  static std::optional<Wiring> create(const fabric::Fabric& fabric,
                                      std::vector<fabric::DeviceId> members,
                                      const CommSettings& settings, Diagnostics& out);

  const fabric::Fabric& fabric() const { return *fabric_; }
  int size() const { return static_cast<int>(members_.size()); }
  const fabric::DeviceId& member(int position) const {
    return members_[static_cast<std::size_t>(position)];
  }

  /// A group on machines all over a folded cluster (evenly spaced, the same members on each) stands
  /// for one on all the machines represented; any other for itself.
  int represented_machines() const { return represented_machines_; }
  int represented_size() const {
    const bool all_here = represented_machines_ == machine_count();
    return all_here ? size() : size() / machine_count() * represented_machines_;
  }
  int machine_count() const { return static_cast<int>(machines_.size()); }
  int machine_of(int position) const { return places_[static_cast<std::size_t>(position)].machine; }
  /// Index of a member among the members of its machine.
  int local(int position) const { return places_[static_cast<std::size_t>(position)].local; }
  /// Positions, ascending.
  std::span<const int> members_of(int machine) const { return at(machine).members; }
  /// The fabric's number of the machine.
  int node_of(int machine) const { return at(machine).node; }
  /// NICs the job uses on a machine; none if all members are in one machine and need none.
  std::span<const NicPort> ports(int machine) const { return at(machine).ports; }
  /// NICs that all machines can pair up, the r-th of each being a rail; 0 in one machine.
  int rail_count() const { return rails_; }

  /// Between members of one machine; kSelf for from == to.
  const Hop& hop(int from, int to) const;
  /// Between machines, out of one's NIC `out` and into the other's NIC `in` (indices into ports()).
  Hop network_hop(int from, int to, int out, int in) const;
  /// From a member to a NIC of its machine and back. NCCL's PXN: a NIC that is not near is reached
  /// over NVLink through a member that is near it.
  std::vector<fabric::LinkId> egress(int from, int port) const;
  std::vector<fabric::LinkId> ingress(int port, int to) const;
  fabric::PathType egress_path(int from, int port) const;
  /// The NIC of a member's own sends: the nearest.
  int nearest_port_of(int position) const {
    return at(machine_of(position)).nearest_port[static_cast<std::size_t>(local(position))];
  }
  /// Any two members: hop(), or through the NIC nearest to each.
  Hop any_hop(int from, int to) const;

 private:
  struct Place {
    int machine = 0;
    int local = 0;
  };
  struct Machine {
    int node = 0;
    std::vector<int> members;
    std::vector<NicPort> ports;
    std::vector<int> nearest_port;  // by local index
    std::vector<Hop> hops;          // [from * members + to], local
  };

  Wiring() = default;
  const Machine& at(int machine) const { return machines_[static_cast<std::size_t>(machine)]; }
  void group_by_machine();
  int count_represented() const;
  void connect_inside(Machine& machine, const CommSettings& settings, Diagnostics& out) const;
  void replace_staging(Machine& machine) const;
  void find_ports(Diagnostics& out);
  void check_network(Diagnostics& out) const;
  bool stages() const;
  int relay(int from, int port) const;
  fabric::RouteKind kind_of_way(int position, fabric::DeviceId nic) const;
  const NicPort& port_of(int position, int port) const {
    return at(machine_of(position)).ports[static_cast<std::size_t>(port)];
  }

  const fabric::Fabric* fabric_ = nullptr;
  std::vector<fabric::DeviceId> members_;
  std::vector<Place> places_;  // by position
  std::vector<Machine> machines_;
  int rails_ = 0;
  int represented_machines_ = 1;
};

}  // namespace heddle::collective
