#pragma once
// The coarsest equitable partition of ranks, groups and links, by colour refinement (Cardon and
// Crochemore 1982, here without their queue: a few rounds over all that is used).
// Cost of a round: O(link uses * log); rounds: as many as the longest chain of differences.

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sim/engine/cost_table.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

using Colour = std::uint32_t;

class ColourRefinement {
 public:
  ColourRefinement(const schedule::Schedule& schedule, const CostTable& costs);

  /// By rank.
  std::span<const Colour> ranks() const { return ranks_; }
  /// By communicator, group.
  Colour group(std::size_t communicator, std::size_t group) const {
    return groups_[first_group_[communicator] + group].colour;
  }

 private:
  using Key = std::vector<std::int64_t>;
  using Uses = std::span<const collective::LinkUse>;
  struct Group {
    Colour colour = 0;
    const std::vector<int>* ranks = nullptr;
    std::vector<Uses> patterns;  // of its collectives, each once
  };
  struct Crossing {
    std::uint32_t group = 0;
    std::uint32_t pattern = 0;
    std::int64_t occupancy_ppb = 0;
    std::int64_t bytes_ppb = 0;
  };

  void add_groups(std::size_t communicator);
  Colour group_costs(std::size_t communicator, std::size_t group, Group& out);
  void colour_ranks();
  void colour_links();
  void cross_links();
  void refine_groups();
  void refine_links();
  void refine_ranks();
  Colour intern(const Key& key);

  const schedule::Schedule& schedule_;
  const CostTable& costs_;
  std::vector<Colour> ranks_;
  std::vector<Colour> links_;
  std::vector<Group> groups_;
  std::vector<std::size_t> first_group_;          // by communicator
  std::vector<std::vector<std::uint32_t>> in_;    // by rank: groups
  std::vector<std::vector<Crossing>> crossings_;  // by link
  std::map<Key, Colour> known_;
};

}  // namespace heddle::engine
