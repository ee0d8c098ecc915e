#include "sim/engine/colour_refinement.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/engine/gpu_speed.h"

namespace heddle::engine {
namespace {

/// What a colour is the colour of: keys of one kind never meet those of another.
enum class KeyKind : std::int64_t { kRank, kLink, kGroup, kCosts, kRankAgain, kLinkAgain };

std::int64_t tag(KeyKind kind) {
  return static_cast<std::int64_t>(kind);
}

bool same(std::span<const collective::LinkUse> a, std::span<const collective::LinkUse> b) {
  return a.data() == b.data() && a.size() == b.size();
}

template <typename Tuples>
void append_sorted(Tuples tuples, std::vector<std::int64_t>& key) {
  std::sort(tuples.begin(), tuples.end());
  for (const auto& tuple : tuples) {
    std::apply([&](auto... parts) { (key.push_back(static_cast<std::int64_t>(parts)), ...); },
               tuple);
  }
}

}  // namespace

ColourRefinement::ColourRefinement(const schedule::Schedule& schedule, const CostTable& costs)
    : schedule_(schedule),
      costs_(costs),
      in_(schedule.program_of_rank.size()),
      crossings_(costs.links.size()) {
  for (std::size_t c = 0; c < schedule.communicators.size(); ++c) add_groups(c);
  colour_ranks();
  colour_links();
  cross_links();
  std::size_t before = 0;
  std::size_t colours = 0;
  do {
    before = std::exchange(colours, 0);
    known_.clear();  // numbers are handed out anew each round; what counts is how many
    refine_groups();
    refine_links();
    refine_ranks();
    colours = known_.size();
  } while (colours != before);
}

Colour ColourRefinement::intern(const Key& key) {
  return known_.try_emplace(key, static_cast<Colour>(known_.size())).first->second;
}

void ColourRefinement::add_groups(std::size_t communicator) {
  const schedule::Communicator& c = schedule_.communicators[communicator];
  first_group_.push_back(groups_.size());
  for (std::size_t g = 0; g < c.groups.size(); ++g) {
    for (const int rank : c.groups[g]) {
      in_[static_cast<std::size_t>(rank)].push_back(static_cast<std::uint32_t>(groups_.size()));
    }
    Group group;
    group.ranks = &c.groups[g];
    group.colour = group_costs(communicator, g, group);
    groups_.push_back(std::move(group));
  }
}

/// The colour of what the group's collectives cost, links apart; notes the links of each.
Colour ColourRefinement::group_costs(std::size_t communicator, std::size_t group, Group& out) {
  Key key{tag(KeyKind::kCosts), static_cast<std::int64_t>(communicator)};
  for (std::size_t i = 0; i < schedule_.collectives.size(); ++i) {
    if (schedule_.collectives[i].communicator.index() != communicator) continue;
    const collective::CollectiveCost& cost = costs_.collectives[costs_.entry(i, group)];
    const auto known = std::find_if(out.patterns.begin(), out.patterns.end(),
                                    [&](Uses uses) { return same(uses, cost.uses); });
    const auto pattern = known - out.patterns.begin();
    if (known == out.patterns.end()) out.patterns.push_back(cost.uses);
    key.insert(key.end(), {cost.latency.ps, cost.payload.value, cost.rate_cap.bytes_per_second,
                           cost.rate.bytes_per_second, cost.channels, pattern});
  }
  return intern(key);
}

void ColourRefinement::colour_ranks() {
  for (int rank = 0; rank < schedule_.rank_count(); ++rank) {
    ranks_.push_back(
        intern({tag(KeyKind::kRank), schedule_.program_of_rank[static_cast<std::size_t>(rank)],
                speed_of(costs_.speeds, rank)}));
  }
}

/// By capacity and the background traffic on them.
void ColourRefinement::colour_links() {
  std::vector<Key> keys;
  for (const Bandwidth& link : costs_.links) {
    keys.push_back({tag(KeyKind::kLink), link.bytes_per_second});
  }
  for (std::size_t f = 0; f < costs_.background.size(); ++f) {
    for (const collective::LinkUse& use : costs_.background[f].uses) {
      keys[use.link.index()].insert(keys[use.link.index()].end(),
                                    {static_cast<std::int64_t>(f), use.occupancy_ppb});
    }
  }
  for (const Key& key : keys) links_.push_back(intern(key));
}

void ColourRefinement::cross_links() {
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    for (std::uint32_t p = 0; p < groups_[g].patterns.size(); ++p) {
      for (const collective::LinkUse& use : groups_[g].patterns[p]) {
        crossings_[use.link.index()].push_back({g, p, use.occupancy_ppb, use.bytes_ppb});
      }
    }
  }
}

void ColourRefinement::refine_groups() {
  for (Group& group : groups_) {
    Key key{tag(KeyKind::kGroup), group.colour};
    for (const Uses uses : group.patterns) {
      std::vector<std::tuple<Colour, std::int64_t, std::int64_t>> crossed;
      for (const collective::LinkUse& use : uses) {
        crossed.emplace_back(links_[use.link.index()], use.occupancy_ppb, use.bytes_ppb);
      }
      key.push_back(static_cast<std::int64_t>(crossed.size()));
      append_sorted(std::move(crossed), key);
    }
    std::vector<std::tuple<Colour>> members;
    for (const int rank : *group.ranks)
      members.emplace_back(ranks_[static_cast<std::size_t>(rank)]);
    append_sorted(std::move(members), key);
    group.colour = intern(key);
  }
}

void ColourRefinement::refine_links() {
  for (std::size_t l = 0; l < links_.size(); ++l) {
    if (crossings_[l].empty()) continue;  // nobody's: it may keep its colour
    std::vector<std::tuple<Colour, std::uint32_t, std::int64_t, std::int64_t>> crossed;
    for (const Crossing& c : crossings_[l]) {
      crossed.emplace_back(groups_[c.group].colour, c.pattern, c.occupancy_ppb, c.bytes_ppb);
    }
    Key key{tag(KeyKind::kLinkAgain), links_[l]};
    append_sorted(std::move(crossed), key);
    links_[l] = intern(key);
  }
}

void ColourRefinement::refine_ranks() {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    Key key{tag(KeyKind::kRankAgain), ranks_[rank]};
    for (const std::uint32_t group : in_[rank]) key.push_back(groups_[group].colour);
    ranks_[rank] = intern(key);
  }
}

}  // namespace heddle::engine
