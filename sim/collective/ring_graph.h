#pragma once
// What rings inside one machine are packed on: for every ordered pair of its members the links a
// hop would load, numbered densely, with the capacities NCCL believes in. In a group of several
// machines every ring enters through a NIC and leaves through it again.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/wiring.h"

namespace heddle::collective {

/// Members in ring order; positions in the communicator, or, inside a machine, local indices.
using Order = std::vector<int>;

/// What a ring takes of a link, in fifths of its speed: 6 on PCIe where the way turns at a host
/// bridge (small packets, NCCL's INTEL_P2P_OVERHEAD), else 5.
struct Demand {
  int link = 0;
  int fifths = 5;
};

/// One way of a ring through a machine: a cycle, or from a NIC's gateway to some member and back
/// out through the NIC.
struct RingPath {
  Order order;
  int port = -1;  // NIC, index into the wiring's ports; -1: a cycle
  std::vector<Demand> demands;
};

/// Worst paths a ring may use: between GPUs, and from a GPU to the NIC it leaves through.
struct WorstPaths {
  fabric::PathType intra = fabric::PathType::kNvb;
  fabric::PathType inter = fabric::PathType::kPxn;

  friend auto operator<=>(const WorstPaths&, const WorstPaths&) = default;
};

class RingGraph {
 public:
  struct Arc {
    fabric::PathType path = fabric::PathType::kDisconnected;
    std::vector<Demand> demands;  // empty: no arc
  };
  struct Port {
    int gateway = 0;
    Arc enter;               // NIC to gateway
    std::vector<Arc> leave;  // by member
  };

  /// Of one machine of the wiring; ports only if there are several machines.
  RingGraph(const Wiring& wiring, int machine);
  /// NVLink hops given as link numbers, for tests: arcs[from * size + to], empty for none.
  RingGraph(int size, const std::vector<std::vector<int>>& arcs, std::vector<Bandwidth> capacities);

  int size() const { return size_; }
  std::span<const Bandwidth> capacities() const { return capacities_; }
  const Arc& arc(int from, int to) const { return arcs_[cell(from, to)]; }
  std::span<const Port> ports() const { return ports_; }
  /// Path types that occur, best first.
  std::vector<fabric::PathType> intra_paths() const;
  std::vector<fabric::PathType> inter_paths() const;
  /// Links the path loads; empty if a hop is missing or worse than allowed.
  std::vector<Demand> demands(const Order& order, int port, const WorstPaths& worst) const;
  /// Ways of a ring over all members in lexicographic order, at most `limit`: cycles from member 0,
  /// or paths from the gateway of each NIC.
  std::vector<RingPath> paths(const WorstPaths& worst, std::size_t limit) const;

 private:
  struct Walk;
  std::size_t cell(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(size_) +
           static_cast<std::size_t>(to);
  }
  Arc arc_over(const fabric::Fabric& fabric, std::span<const fabric::LinkId> links,
               fabric::PathType path);
  void add_port(const Wiring& wiring, int machine, int port);
  bool has_way_out(int port, const WorstPaths& worst) const;
  void extend(Walk& walk) const;

  int size_ = 0;
  std::vector<Arc> arcs_;
  std::vector<Port> ports_;
  std::vector<Bandwidth> capacities_;
  std::map<fabric::LinkId, int> number_;
};

/// Members of `start`'s island: joined by paths better than `worst`.
std::vector<bool> island_of(const RingGraph& graph, int start, fabric::PathType worst);

}  // namespace heddle::collective
