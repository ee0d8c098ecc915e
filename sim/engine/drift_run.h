#pragma once
// A graph of kernels and collectives that is the same on every rank, with durations that are not:
// every rank of thousands simulated, none folded, no event per send. A node's times on all ranks
// are one row; kernels add a row, collectives pass theirs through a grid's rings (grid_times.h).
//
//   start(n, r) = max( ends on r of what n waits for, end on r of the node of n's stream before it
//   )
//
// Nodes of a stream run in their order, on collective streams too: a communicator's operations do
// not overtake each other, so a rank's links carry one ring at a time and queue exactly.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/grid_times.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

struct DriftNode {
  bool is_collective = false;
  schedule::CollectiveKind kind = schedule::CollectiveKind::kAllReduce;
  Bytes payload = {};
  Duration duration = {};                 // of a kernel, before it differs by rank
  std::vector<std::uint32_t> after = {};  // earlier nodes, of either stream
};

/// In an order in which every node comes after what it waits for. Kernels are one stream,
/// collectives the other.
using DriftGraph = std::vector<DriftNode>;

/// Fills in how long kernel `node` takes on each rank, whole picoseconds.
using DurationsByRank = std::function<void(std::uint32_t node, std::span<double> durations)>;

struct DriftResult {
  Duration step;            // until the last rank is done
  Duration first;           // until the first is
  std::uint64_t sends = 0;  // all ranks together
};

/// Without `durations` every rank takes what the nodes say. Memory: a row for each node that one
/// of the other stream waits for, until the last that does.
DriftResult run_drifting(const DriftGraph& graph, collective::Grid& grid,
                         const DurationsByRank& durations = {});

}  // namespace heddle::engine
