#include "sim/collective/ring_packing.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace heddle::collective {
namespace {

constexpr int kSearchSteps = 20'000;

}  // namespace

RingPacker::RingPacker(const RingGraph& graph)
    : graph_(graph), exits_(static_cast<std::size_t>(graph.size())) {
  for (int from = 0; from < graph.size(); ++from) {
    for (int to = 0; to < graph.size(); ++to) {
      const std::span<const int> arc = graph.arc(from, to);
      if (!arc.empty()) exits_[static_cast<std::size_t>(from)].insert(arc.front());
    }
  }
}

std::vector<Order> RingPacker::repeat(const Order& order, Bandwidth speed) const {
  const std::vector<int> links = graph_.links_of(order);
  if (links.empty()) return {};
  std::vector<int> crossings(graph_.capacities().size(), 0);
  for (int link : links) ++crossings[static_cast<std::size_t>(link)];
  const std::vector<int> slots = slots_at(speed);
  int count = kMaxRings;
  for (std::size_t link = 0; link < crossings.size(); ++link) {
    if (crossings[link] > 0) count = std::min(count, slots[link] / crossings[link]);
  }
  return std::vector<Order>(static_cast<std::size_t>(count), order);
}

std::vector<Order> RingPacker::pack(const Order& order, Bandwidth speed) {
  std::vector<Order> same = repeat(order, speed);
  slots_ = slots_at(speed);
  if (static_cast<int>(same.size()) >= upper_bound(slots_)) return same;
  find_cycles();
  best_.clear();
  steps_left_ = kSearchSteps;
  search(0);
  if (best_.size() <= same.size()) return same;
  std::vector<Order> rings;
  for (std::size_t cycle : best_) rings.push_back(cycles_[cycle]);
  return rings;
}

std::vector<int> RingPacker::slots_at(Bandwidth speed) const {
  std::vector<int> slots;
  for (Bandwidth capacity : graph_.capacities()) {
    const std::int64_t fit = capacity.bytes_per_second / speed.bytes_per_second;
    slots.push_back(static_cast<int>(std::min<std::int64_t>(fit, kMaxRings)));
  }
  return slots;
}

// Every ring leaves every member once, so the member with the fewest free exits limits them.
int RingPacker::upper_bound(const std::vector<int>& slots) const {
  int least = kMaxRings;
  for (const std::set<int>& exits : exits_) {
    int free = 0;
    for (int link : exits) free += slots[static_cast<std::size_t>(link)];
    least = std::min(least, free);
  }
  return least;
}

void RingPacker::find_cycles() {
  if (!cycles_.empty()) return;
  cycles_ = graph_.hamiltonian_cycles();
  for (const Order& cycle : cycles_) cycle_links_.push_back(graph_.links_of(cycle));
}

void RingPacker::search(std::size_t first) {
  if (chosen_.size() > best_.size()) best_ = chosen_;
  for (std::size_t cycle = first; cycle < cycles_.size(); ++cycle) {
    const std::size_t reachable = chosen_.size() + static_cast<std::size_t>(upper_bound(slots_));
    if (reachable <= best_.size() || best_.size() >= kMaxRings || steps_left_ <= 0) return;
    --steps_left_;
    if (!take(cycle)) continue;
    search(cycle);
    give_back();
  }
}

bool RingPacker::take(std::size_t cycle) {
  const std::vector<int>& links = cycle_links_[cycle];
  for (int link : links) --slots_[static_cast<std::size_t>(link)];
  chosen_.push_back(cycle);
  const auto is_full = [this](int link) { return slots_[static_cast<std::size_t>(link)] < 0; };
  if (std::none_of(links.begin(), links.end(), is_full)) return true;
  give_back();
  return false;
}

void RingPacker::give_back() {
  for (int link : cycle_links_[chosen_.back()]) ++slots_[static_cast<std::size_t>(link)];
  chosen_.pop_back();
}

}  // namespace heddle::collective
