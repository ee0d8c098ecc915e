#pragma once
// Which sets of GPUs are the same as far as the wiring can tell.
//
// A symmetry is a permutation p of the devices that keeps their kinds and marks and every link:
// (a, b) is joined exactly as (p(a), p(b)) is, by kind, capacity, latency and lanes. Two markings
// are equivalent if a symmetry carries one into the other. Colour refinement (Weisfeiler-Leman)
// gives a hash that equivalent markings share; where two markings share it, refinement with one
// pair of devices tied after the other, going back where that fails, decides exactly.
// Cost: O(links log links) a refinement; a few dozen of them per question on machines as they are
// built. Symmetric graphs made to be hard (strongly regular ones) can take exponentially many.

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/stable_hash.h"
#include "sim/fabric/fabric.h"

namespace heddle::fabric {

/// By device: what sets it apart besides its kind ("chosen", "slow").
using Marks = std::vector<std::int64_t>;

class Symmetry {
 public:
  /// Of the whole fabric, or of one machine's devices and inner links alone.
  explicit Symmetry(const Fabric& fabric, std::optional<int> node = std::nullopt);

  /// Equal for equivalent marks.
  std::uint64_t invariant(const Marks& marks) const;
  bool equivalent(const Marks& a, const Marks& b) const;

 private:
  struct Edge {
    std::uint32_t to;
    std::uint32_t label;  // of a link and the direction it is looked at
  };
  using Colours = std::vector<std::uint32_t>;  // of one or two copies of the graph, end to end

  std::size_t size() const { return edges_.size(); }
  Colours start(const Marks& a, const Marks* b, StableHash* hash) const;
  void refine(Colours& colours, StableHash* trail) const;
  bool match(Colours colours) const;

  std::vector<DeviceId> devices_;
  std::vector<std::int64_t> kinds_;
  std::vector<std::vector<Edge>> edges_;
};

}  // namespace heddle::fabric
