#include "sim/parallel/strategies/flat_group.h"

#include <algorithm>

#include "sim/parallel/strategies/sharding.h"

namespace heddle::parallel {

FlatGroup::FlatGroup(const model::ModelGraph& graph, int ranks, bool round_robin) {
  for (std::size_t m = 0; m < graph.modules.size(); ++m) {
    const auto& params = graph.modules[m].params;
    places_.emplace_back(params.size());
    for (std::size_t p = 0; p < params.size(); ++p) {
      const std::int64_t numel = params[p].numel();
      if (!params[p].trainable) {
        frozen_ += numel;
        continue;
      }
      tensors_.push_back({m, p});
      elements_ += numel;
      largest_ = std::max(largest_, numel);
    }
  }
  partition_ = 2 * shard_elements(elements_, 2 * ranks);
  place(graph, ranks, round_robin);
}

void FlatGroup::place(const model::ModelGraph& graph, int ranks, bool round_robin) {
  const std::size_t stride = round_robin ? static_cast<std::size_t>(ranks) : 1;
  std::int64_t at = 0;
  for (std::size_t start = 0; start < stride; ++start) {
    for (std::size_t i = start; i < tensors_.size(); i += stride) {
      const ParamRef ref = tensors_[i];
      const std::int64_t numel = graph.modules[ref.module].params[ref.index].numel();
      places_[ref.module][ref.index] = {at, at + numel};
      at += numel;
    }
  }
}

int FlatGroup::first_owner(ParamRef ref) const {
  return static_cast<int>(places_[ref.module][ref.index].begin / partition_);
}

int FlatGroup::last_owner(ParamRef ref) const {
  return static_cast<int>((places_[ref.module][ref.index].end - 1) / partition_);
}

}  // namespace heddle::parallel
