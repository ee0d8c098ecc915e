#include "sim/collective/ring_packing.h"

#include <algorithm>
#include <utility>

namespace heddle::collective {
namespace {

constexpr int kSearchSteps = 20'000;
constexpr std::size_t kMaxWays = 5'040;  // all cycles of 8 members

}  // namespace

RingPacker::RingPacker(const RingGraph& graph, const WorstPaths& worst)
    : graph_(graph), worst_(worst) {
  add_member_bounds();
  if (graph.ports().empty()) add_island_bounds();
}

int RingPacker::narrowest(const RingGraph::Arc& arc) const {
  const auto narrower = [this](const Demand& a, const Demand& b) {
    return graph_.capacities()[static_cast<std::size_t>(a.link)] <
           graph_.capacities()[static_cast<std::size_t>(b.link)];
  };
  return std::min_element(arc.demands.begin(), arc.demands.end(), narrower)->link;
}

void RingPacker::add_bound(LinkSet links) {
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  if (std::find(cuts_.begin(), cuts_.end(), links) == cuts_.end()) cuts_.push_back(links);
}

// Every ring leaves every member once, and the machine through a NIC.
void RingPacker::add_member_bounds() {
  for (int from = 0; from < graph_.size(); ++from) {
    LinkSet exits;
    for (int to = 0; to < graph_.size(); ++to) {
      const RingGraph::Arc& arc = graph_.arc(from, to);
      if (arc.path <= worst_.intra && !arc.demands.empty())
        exits.push_back(arc.demands.front().link);
    }
    for (const RingGraph::Port& port : graph_.ports()) {
      exits.push_back(port.leave[static_cast<std::size_t>(from)].demands.front().link);
    }
    add_bound(exits);
  }
  LinkSet entries;
  for (const RingGraph::Port& port : graph_.ports()) entries.push_back(narrowest(port.enter));
  if (!entries.empty()) add_bound(entries);
}

// Every ring leaves every island, at the latest over the narrowest link of the way out.
void RingPacker::add_island_bounds() {
  for (int start = 0; start < graph_.size(); ++start) {
    const std::vector<bool> inside = island_of(graph_, start, worst_.intra);
    LinkSet exits;
    for (int from = 0; from < graph_.size(); ++from) {
      for (int to = 0; to < graph_.size(); ++to) {
        const RingGraph::Arc& arc = graph_.arc(from, to);
        if (!inside[static_cast<std::size_t>(from)] || inside[static_cast<std::size_t>(to)])
          continue;
        if (arc.demands.empty() || arc.path > worst_.intra) continue;
        exits.push_back(narrowest(arc));
      }
    }
    // An island without a way out: the empty cut lets no ring through.
    if (std::find(inside.begin(), inside.end(), false) != inside.end()) add_bound(exits);
  }
}

void RingPacker::reset(Bandwidth speed) {
  speed_ = speed.bytes_per_second;
  left_.clear();
  for (Bandwidth capacity : graph_.capacities()) left_.push_back(capacity.bytes_per_second * 5);
}

std::vector<RingPath> RingPacker::repeat(std::span<const RingPath> ways, Bandwidth speed) {
  reset(speed);
  std::vector<RingPath> rings;
  for (bool added = true; added;) {
    added = false;
    for (const RingPath& way : ways) {
      if (rings.size() >= kMaxRings || !take(way)) continue;
      rings.push_back(way);
      added = true;
    }
  }
  return rings;
}

std::vector<RingPath> RingPacker::search(Bandwidth speed) {
  if (!std::exchange(knows_ways_, true)) ways_ = graph_.paths(worst_, kMaxWays);
  reset(speed);
  chosen_.clear();
  best_.clear();
  steps_left_ = kSearchSteps;
  extend(0);
  std::vector<RingPath> rings;
  for (std::size_t way : best_) rings.push_back(ways_[way]);
  return rings;
}

int RingPacker::upper_bound(Bandwidth speed) {
  reset(speed);
  return bound();
}

int RingPacker::bound() const {
  std::int64_t least = kMaxRings;
  for (const LinkSet& cut : cuts_) {
    std::int64_t free = 0;
    for (int link : cut) free += left_[static_cast<std::size_t>(link)] / (speed_ * 5);
    least = std::min(least, free);
  }
  return static_cast<int>(least);
}

void RingPacker::extend(std::size_t first) {
  if (chosen_.size() > best_.size()) best_ = chosen_;
  for (std::size_t way = first; way < ways_.size(); ++way) {
    const std::size_t reachable = chosen_.size() + static_cast<std::size_t>(bound());
    if (reachable <= best_.size() || best_.size() >= kMaxRings || steps_left_ <= 0) return;
    --steps_left_;
    if (!take(ways_[way])) continue;
    chosen_.push_back(way);
    extend(way);
    chosen_.pop_back();
    give_back(ways_[way]);
  }
}

bool RingPacker::take(const RingPath& way) {
  for (const Demand& demand : way.demands) {
    left_[static_cast<std::size_t>(demand.link)] -= demand.fifths * speed_;
  }
  const bool fits = std::all_of(way.demands.begin(), way.demands.end(), [this](const Demand& d) {
    return left_[static_cast<std::size_t>(d.link)] >= 0;
  });
  if (!fits) give_back(way);
  return fits;
}

void RingPacker::give_back(const RingPath& way) {
  for (const Demand& demand : way.demands) {
    left_[static_cast<std::size_t>(demand.link)] += demand.fifths * speed_;
  }
}

}  // namespace heddle::collective
