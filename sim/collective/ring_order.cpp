#include "sim/collective/ring_order.h"

#include <algorithm>
#include <array>
#include <vector>

#include "sim/collective/ring_search.h"

namespace heddle::collective {
namespace {

enum class Nearness { kNvlink, kPciePeer, kSameSocket, kOtherSocket };

Nearness nearness(const Wiring& wiring, int a, int b) {
  const Hop& hop = wiring.hop(a, b);
  if (hop.transport == Transport::kNvlink) return Nearness::kNvlink;
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

bool extend_walk(const Wiring& wiring, const Order& island, Order& walk) {
  if (walk.size() == island.size()) return true;
  for (int next : island) {
    if (std::find(walk.begin(), walk.end(), next) != walk.end()) continue;
    if (!walk.empty() && nearness(wiring, walk.back(), next) != Nearness::kNvlink) continue;
    walk.push_back(next);
    if (extend_walk(wiring, island, walk)) return true;
    walk.pop_back();
  }
  return false;
}

Order nvlink_walk(const Wiring& wiring, const Order& island) {
  Order walk;
  if (island.size() > kMaxOrderSearch || !extend_walk(wiring, island, walk)) return island;
  return walk;
}

Order order_within(const Wiring& wiring, const Order& members, std::size_t level) {
  constexpr std::array kLevels{Nearness::kSameSocket, Nearness::kPciePeer, Nearness::kNvlink};
  if (level == kLevels.size()) return nvlink_walk(wiring, members);
  Order order;
  for (const Order& group : components(wiring, members, kLevels[level])) {
    const Order inner = order_within(wiring, group, level + 1);
    order.insert(order.end(), inner.begin(), inner.end());
  }
  return order;
}

}  // namespace

Order locality_order(const Wiring& wiring) {
  Order given;
  for (int position = 0; position < wiring.size(); ++position) given.push_back(position);
  Order order = order_within(wiring, given, 0);
  std::rotate(order.begin(), std::find(order.begin(), order.end(), 0), order.end());
  return order;
}

}  // namespace heddle::collective
