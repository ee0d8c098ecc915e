#pragma once
// The part of a wiring that rings are packed on: for every ordered pair of members the links a hop
// would use, numbered densely, with their capacities. Pairs beyond the worst transport allowed
// have no arc.

#include <cstddef>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/wiring.h"

namespace heddle::collective {

/// Member positions in ring order.
using Order = std::vector<int>;

class RingGraph {
 public:
  RingGraph(const Wiring& wiring, Transport worst);
  /// Hops given as link numbers, for tests: arcs[from * size + to], empty for none.
  RingGraph(int size, std::vector<std::vector<int>> arcs, std::vector<Bandwidth> capacities);

  int size() const { return size_; }
  std::span<const Bandwidth> capacities() const { return capacities_; }
  std::span<const int> arc(int from, int to) const { return arcs_[cell(from, to)]; }
  /// Links the ring uses, one entry per crossing; empty if a hop has no arc.
  std::vector<int> links_of(const Order& order) const;
  /// Every Hamiltonian cycle, starting at member 0, in lexicographic order. (size - 1)! of them on
  /// a complete graph: for small groups only.
  std::vector<Order> hamiltonian_cycles() const;

 private:
  std::size_t cell(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(size_) +
           static_cast<std::size_t>(to);
  }
  void extend(Order& path, std::vector<Order>& found) const;

  int size_ = 0;
  std::vector<std::vector<int>> arcs_;
  std::vector<Bandwidth> capacities_;
};

}  // namespace heddle::collective
