#include "sim/run/gpu_places.h"

namespace heddle::run {

std::vector<GpuPlace> spread_gpus(std::span<const int> numbers, int nodes, RankOrder order) {
  std::vector<GpuPlace> places;
  places.reserve(numbers.size() * static_cast<std::size_t>(nodes));
  if (order == RankOrder::kRoundRobin) {
    for (const int gpu : numbers) {
      for (int node = 0; node < nodes; ++node) places.push_back({node, gpu});
    }
    return places;
  }
  for (int node = 0; node < nodes; ++node) {
    for (const int gpu : numbers) places.push_back({node, gpu});
  }
  return places;
}

std::optional<std::vector<int>> gpus_on_every_node(const FabricChoice& choice) {
  std::vector<int> numbers;
  for (const GpuPlace& place : choice.gpus) {
    if (place.node == 0) numbers.push_back(place.gpu);
  }
  if (spread_gpus(numbers, choice.nodes, choice.rank_order) != choice.gpus) return std::nullopt;
  return numbers;
}

}  // namespace heddle::run
