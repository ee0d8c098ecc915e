#include "sim/collective/ring_search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "sim/collective/ring_packing.h"

namespace heddle::collective {
namespace {

using fabric::PathType;

// NCCL keeps lowering the speed while it stays above this share of the best solution's.
constexpr std::int64_t kStopPercent = 49;

/// The order as a cycle, or from the gateway of each NIC; those that may not run left out.
std::vector<RingPath> turned(const RingGraph& graph, const Order& order, const WorstPaths& worst) {
  std::vector<RingPath> ways;
  const int ports = static_cast<int>(graph.ports().size());
  for (int port = ports > 0 ? 0 : -1; port < ports; ++port) {
    RingPath way{order, port, {}};
    if (port >= 0) {
      const int gateway = graph.ports()[static_cast<std::size_t>(port)].gateway;
      const auto first = std::find(way.order.begin(), way.order.end(), gateway);
      std::rotate(way.order.begin(), first, way.order.end());
    }
    way.demands = graph.demands(way.order, port, worst);
    if (!way.demands.empty()) ways.push_back(std::move(way));
  }
  return ways;
}

class Search {
 public:
  Search(const RingGraph& graph, const Order& order, int least)
      : graph_(graph),
        order_(order),
        least_(least),
        intra_paths_(graph.intra_paths()),
        inter_paths_(graph.inter_paths()) {}

  RingsFound over(std::span<const Bandwidth> speeds) {
    for (Bandwidth speed : speeds) {
      if (is_too_slow(speed)) break;
      for (PathType inter : inter_paths_) {
        if (may_leave_over(inter)) try_intra(speed, inter);
      }
    }
    return std::move(best_);
  }

 private:
  /// Packing over one kind of path, kept from speed to speed.
  struct Packing {
    RingPacker packer;
    std::vector<RingPath> same_order;
  };

  bool is_too_slow(Bandwidth speed) const {
    return !best_.rings.empty() &&
           speed.bytes_per_second * 100 <= best_.speed.bytes_per_second * kStopPercent;
  }
  bool may_leave_over(PathType inter) const {
    return best_.rings.empty() || inter <= std::max(best_.worst.inter, PathType::kPxn);
  }
  void try_intra(Bandwidth speed, PathType inter) {
    for (PathType intra : intra_paths_) {
      // Inside a machine no worse than on the way to its NIC.
      if (!graph_.ports().empty() && intra > std::max(inter, intra_paths_.front())) return;
      if (!best_.rings.empty() && intra > best_.worst.intra) return;
      keep({pack(speed, {intra, inter}), speed, {intra, inter}});
    }
  }
  std::vector<RingPath> pack(Bandwidth speed, const WorstPaths& worst) {
    auto at = packings_.find(worst);
    if (at == packings_.end()) {
      Packing packing{RingPacker(graph_, worst), turned(graph_, order_, worst)};
      at = packings_.emplace(worst, std::move(packing)).first;
    }
    auto& [packer, same_order] = at->second;
    std::vector<RingPath> same = packer.repeat(same_order, speed);
    if (graph_.size() > kMaxOrderSearch) return same;
    if (static_cast<int>(same.size()) >= packer.upper_bound(speed)) return same;
    std::vector<RingPath> any = packer.search(speed);
    return any.size() > same.size() ? any : same;
  }
  void keep(RingsFound found) {
    if (static_cast<int>(found.rings.size()) < least_) return;
    if (found.bus() > best_.bus()) best_ = std::move(found);
  }

  const RingGraph& graph_;
  const Order& order_;
  int least_;
  std::vector<PathType> intra_paths_;
  std::vector<PathType> inter_paths_;
  std::map<WorstPaths, Packing> packings_;
  RingsFound best_;
};

}  // namespace

RingsFound search_rings(const RingGraph& graph, const Order& order,
                        std::span<const Bandwidth> speeds, int least) {
  return Search(graph, order, least).over(speeds);
}

RingsFound slowest_link_ring(const RingGraph& graph, const Order& order) {
  const WorstPaths any{PathType::kDisconnected, PathType::kDisconnected};
  std::vector<RingPath> ways = turned(graph, order, any);
  if (ways.empty()) return {};
  Bandwidth slowest{std::numeric_limits<std::int64_t>::max()};
  for (const Demand& demand : ways.front().demands) {
    slowest = std::min(slowest, graph.capacities()[static_cast<std::size_t>(demand.link)]);
  }
  return {{std::move(ways.front())}, slowest, any};
}

}  // namespace heddle::collective
