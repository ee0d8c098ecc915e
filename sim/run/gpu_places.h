#pragma once
// Which GPU each rank has when the same GPUs are used on every machine.

#include <optional>
#include <span>
#include <vector>

#include "sim/run/scenario.h"

namespace heddle::run {

/// GPUs `numbers` on each of `nodes` machines, by rank.
std::vector<GpuPlace> spread_gpus(std::span<const int> numbers, int nodes, RankOrder order);

/// The numbers whose spread over the choice's machines in its order its GPUs are, if they are.
std::optional<std::vector<int>> gpus_on_every_node(const FabricChoice& choice);

}  // namespace heddle::run
