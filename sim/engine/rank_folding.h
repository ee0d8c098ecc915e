#pragma once
// Ranks that behave alike are simulated once. Which are alike follows from colour refinement: a
// rank is its program, its GPU's speed and the groups it is in; a group is what its collectives
// cost, the links they cross and the ranks in it; a link is its capacity and what crosses it.
// Colours split until none does any more. The partition is then equitable, and max-min rates and
// arrivals are the same throughout a class: README.md, Folding.

#include <cstdint>
#include <vector>

#include "sim/engine/cost_table.h"
#include "sim/engine/gpu_speed.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

/// Ranks that are simulated as one.
struct RankClass {
  int program = 0;
  int first_rank = 0;
  int multiplicity = 1;
  std::int64_t speed_ppb = kPpb;  // of its GPUs
};

/// Groups of a communicator whose collectives are simulated as one.
struct GroupClass {
  std::uint32_t communicator = 0;
  std::vector<std::uint32_t> groups;   // ascending; the first stands for all
  std::vector<std::uint32_t> members;  // rank classes in each, once, in the first group's order
};

struct Folding {
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  std::vector<RankClass> classes;  // in order of first rank
  std::vector<std::uint32_t> class_of_rank;
  std::vector<GroupClass> groups;  // by communicator, then first group
  /// By rank class and communicator, where it is in `groups`; kNone: a rank of neither.
  std::vector<std::vector<std::uint32_t>> group_of;
};

/// Not `fold`: every rank and every group is a class of its own.
Folding fold_ranks(const schedule::Schedule& schedule, const CostTable& costs, bool fold);

}  // namespace heddle::engine
