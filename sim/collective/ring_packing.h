#pragma once
// How many rings of one speed fit on the links at once. A link of capacity c holds floor(c / s)
// crossings of rings of speed s, so bundled links serve several rings (a pair of GPUs joined by
// six NVLinks is not one unit: the complete digraph on four vertices has no decomposition into
// three directed Hamiltonian cycles, but two crossings per pair hold all six).

#include <cstddef>
#include <set>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/ring_graph.h"

namespace heddle::collective {

inline constexpr int kMaxRings = 32;  // NCCL's limit before doubling

class RingPacker {
 public:
  explicit RingPacker(const RingGraph& graph);

  /// `order` in every ring, as often as it fits.
  std::vector<Order> repeat(const Order& order, Bandwidth speed) const;
  /// First `order` in every ring; where that leaves room, different orders by depth-first search
  /// with a bounded number of steps (NCCL bounds its time): the maximum, unless the bound was hit.
  std::vector<Order> pack(const Order& order, Bandwidth speed);

 private:
  std::vector<int> slots_at(Bandwidth speed) const;
  int upper_bound(const std::vector<int>& slots) const;
  void find_cycles();
  void search(std::size_t first);
  bool take(std::size_t cycle);
  void give_back();

  const RingGraph& graph_;
  std::vector<std::set<int>> exits_;  // by member: the links its hops leave through
  std::vector<Order> cycles_;         // every Hamiltonian cycle, filled when first needed
  std::vector<std::vector<int>> cycle_links_;
  // State of one search: free crossings by link, rings chosen (indices into cycles_), best so far.
  std::vector<int> slots_;
  std::vector<std::size_t> chosen_;
  std::vector<std::size_t> best_;
  int steps_left_ = 0;
};

}  // namespace heddle::collective
