#pragma once
// The workloads DDP(n), DDP-J(n) and FSDP(n) of the comparison with other simulators: 32 layers of
// 416 MiB, 2 ms forward and 4 ms backward each, a last kernel of 1 ms.

#include "sim/collective/grid_times.h"
#include "sim/engine/drift_run.h"

namespace heddle::test {

engine::DriftGraph ddp_graph();   // an all-reduce a layer under backward: 97 nodes
engine::DriftGraph fsdp_graph();  // gathers before forward and backward, a scatter after: 161 nodes

/// One dimension: `ranks` on links of 400 GB/s and 500 ns.
collective::Grid one_level(std::size_t ranks);
/// 8 of these by ranks / 8 on links of 50 GB/s and 2000 ns.
collective::Grid two_levels(std::size_t ranks);

/// Kernels scaled by a factor in [0.95, 1.05) fixed by rank and node, rounded down to a
/// microsecond.
engine::DurationsByRank drift(const engine::DriftGraph& graph);

}  // namespace heddle::test
