#include "sim/collective/ring_order.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace heddle::collective {
namespace {

constexpr int kWalkSteps = 10'000;

enum class Nearness { kNvlink, kNvlinkRelay, kPciePeer, kSameSocket, kOtherSocket };

Nearness nearness(const Wiring& wiring, int a, int b) {
  const Hop& hop = wiring.hop(a, b);
  if (hop.transport == Transport::kNvlink) {
    return hop.path == fabric::PathType::kNvb ? Nearness::kNvlinkRelay : Nearness::kNvlink;
  }
  if (hop.transport == Transport::kPcie) return Nearness::kPciePeer;
  return hop.crosses_socket ? Nearness::kOtherSocket : Nearness::kSameSocket;
}

/// Members that `start` reaches by steps of at most `limit`, in given order.
Order reachable(const Wiring& wiring, int start, const Order& members, Nearness limit) {
  Order group{start};
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (int other : members) {
      if (std::find(group.begin(), group.end(), other) != group.end()) continue;
      if (nearness(wiring, group[i], other) <= limit) group.push_back(other);
    }
  }
  std::sort(group.begin(), group.end());
  return group;
}

/// In order of their first member.
std::vector<Order> components(const Wiring& wiring, const Order& members, Nearness limit) {
  std::vector<Order> found;
  for (int member : members) {
    const auto holds = [member](const Order& group) {
      return std::find(group.begin(), group.end(), member) != group.end();
    };
    if (std::any_of(found.begin(), found.end(), holds)) continue;
    found.push_back(reachable(wiring, member, members, limit));
  }
  return found;
}

bool extend_walk(const Wiring& wiring, const Order& island, Order& walk, int& steps_left) {
  if (walk.size() == island.size()) return true;
  for (int next : island) {
    if (std::find(walk.begin(), walk.end(), next) != walk.end()) continue;
    if (!walk.empty() && nearness(wiring, walk.back(), next) != Nearness::kNvlink) continue;
    if (--steps_left < 0) return false;
    walk.push_back(next);
    if (extend_walk(wiring, island, walk, steps_left)) return true;
    walk.pop_back();
  }
  return false;
}

Order nvlink_walk(const Wiring& wiring, const Order& island) {
  Order walk;
  int steps_left = kWalkSteps;
  return extend_walk(wiring, island, walk, steps_left) ? walk : island;
}

Order order_within(const Wiring& wiring, const Order& members, std::size_t level) {
  constexpr std::array kLevels{Nearness::kSameSocket, Nearness::kPciePeer, Nearness::kNvlinkRelay};
  if (level == kLevels.size()) return nvlink_walk(wiring, members);
  Order order;
  for (const Order& group : components(wiring, members, kLevels[level])) {
    const Order inner = order_within(wiring, group, level + 1);
    order.insert(order.end(), inner.begin(), inner.end());
  }
  return order;
}

}  // namespace

Order locality_order(const Wiring& wiring, int machine) {
  const std::span<const int> members = wiring.members_of(machine);
  const Order given(members.begin(), members.end());
  Order order = order_within(wiring, given, 0);
  std::rotate(order.begin(), std::find(order.begin(), order.end(), given.front()), order.end());
  return order;
}

}  // namespace heddle::collective
