#include "sim/collective/ring_search.h"

#include <utility>

#include "sim/collective/ring_packing.h"

namespace heddle::collective {
namespace {

// NCCL keeps lowering the speed while it stays above this share of the best solution's.
constexpr std::int64_t kStopPercent = 49;

bool is_too_slow(Bandwidth candidate, const RingsFound& best) {
  return !best.orders.empty() &&
         candidate.bytes_per_second * 100 <= best.speed.bytes_per_second * kStopPercent;
}

template <typename PackAt>
RingsFound best_over(std::span<const Bandwidth> speeds, PackAt pack_at) {
  RingsFound best;
  for (Bandwidth speed : speeds) {
    if (is_too_slow(speed, best)) break;
    RingsFound found{pack_at(speed), speed};
    if (found.bus() > best.bus()) best = std::move(found);
  }
  return best;
}

}  // namespace

RingsFound search_rings(const RingGraph& graph, const Order& order,
                        std::span<const Bandwidth> speeds) {
  if (graph.size() > kMaxOrderSearch) return search_repeated_ring(graph, order, speeds);
  RingPacker packer(graph);
  return best_over(speeds, [&](Bandwidth speed) { return packer.pack(order, speed); });
}

RingsFound search_repeated_ring(const RingGraph& graph, const Order& order,
                                std::span<const Bandwidth> speeds) {
  const RingPacker packer(graph);
  return best_over(speeds, [&](Bandwidth speed) { return packer.repeat(order, speed); });
}

}  // namespace heddle::collective
