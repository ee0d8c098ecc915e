#pragma once
// How many rings of one speed fit on the links at once. Every ring takes its speed from each link
// it crosses, so bundled links serve several rings (a pair of GPUs joined by six NVLinks is not one
// unit: the complete digraph on four vertices has no decomposition into three directed Hamiltonian
// cycles, but two crossings per pair hold all six).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/ring_graph.h"

namespace heddle::collective {

inline constexpr int kMaxRings = 32;  // NCCL's limit before doubling

class RingPacker {
 public:
  /// Rings over paths up to `worst`.
  RingPacker(const RingGraph& graph, const WorstPaths& worst);

  /// The given ways in turn, each as often as it fits.
  std::vector<RingPath> repeat(std::span<const RingPath> ways, Bandwidth speed);
  /// Any ways, by depth-first search with a bounded number of steps (NCCL bounds its time): the
  /// maximum, unless the bound was hit.
  std::vector<RingPath> search(Bandwidth speed);
  /// No more rings than this fit.
  int upper_bound(Bandwidth speed);

 private:
  using LinkSet = std::vector<int>;

  void reset(Bandwidth speed);
  void add_member_bounds();
  void add_island_bounds();
  void add_bound(LinkSet links);
  int narrowest(const RingGraph::Arc& arc) const;
  int bound() const;
  void extend(std::size_t first);
  bool take(const RingPath& way);
  void give_back(const RingPath& way);

  const RingGraph& graph_;
  WorstPaths worst_;
  std::vector<LinkSet> cuts_;   // every ring crosses a link of each
  std::vector<RingPath> ways_;  // found when first needed
  bool knows_ways_ = false;
  // State at one speed: what is left of each link in fifths, rings chosen (indices into ways_),
  // most so far.
  std::int64_t speed_ = 0;
  std::vector<std::int64_t> left_;
  std::vector<std::size_t> chosen_;
  std::vector<std::size_t> best_;
  int steps_left_ = 0;
};

}  // namespace heddle::collective
