#include "sim/parallel/strategies/flat_layout.h"

#include <algorithm>

#include "sim/parallel/strategies/sharding.h"

namespace heddle::parallel {
namespace {

/// Calls use(rank, elements) for each rank that holds a part of `range`.
template <typename Use>
void split(const FlatLayout::Range& range, std::int64_t shard, Use&& use) {
  for (std::int64_t rank = range.begin / shard; rank * shard < range.end; ++rank) {
    const std::int64_t begin = std::max(range.begin, rank * shard);
    use(static_cast<std::size_t>(rank), std::min(range.end, (rank + 1) * shard) - begin);
  }
}

}  // namespace

FlatLayout flat_layout(const model::ModelGraph& graph, const FsdpUnit& unit, int shards,
                       std::int64_t alignment) {
  FlatLayout layout;
  for (const std::size_t m : unit.modules) {
    for (const model::ParamTensor& p : graph.modules[m].params) {
      const std::int64_t begin = round_up(layout.elements, alignment);
      layout.elements = begin + p.numel();
      if (p.trainable && p.numel() > 0) layout.trained.push_back({begin, layout.elements});
    }
  }
  layout.shard = shard_elements(layout.elements, shards);
  if (alignment > 1) layout.elements = layout.shard * shards;
  return layout;
}

std::vector<OptimizerTensor> fullest_rank(const std::vector<FlatLayout>& layouts, int shards) {
  std::vector<std::int64_t> held(static_cast<std::size_t>(shards));
  for (const FlatLayout& layout : layouts) {
    for (const FlatLayout::Range& range : layout.trained) {
      split(range, layout.shard, [&](std::size_t rank, std::int64_t n) { held[rank] += n; });
    }
  }
  const auto fullest =
      static_cast<std::size_t>(std::max_element(held.begin(), held.end()) - held.begin());
  std::vector<OptimizerTensor> tensors;
  for (const FlatLayout& layout : layouts) {
    for (const FlatLayout::Range& range : layout.trained) {
      split(range, layout.shard, [&](std::size_t rank, std::int64_t n) {
        if (rank == fullest) tensors.push_back({n});
      });
    }
  }
  return tensors;
}

}  // namespace heddle::parallel
