#pragma once
// Hierarchical collectives over a grid of ranks, such as 8 GPUs by 256 machines: a ring in each
// dimension, reduce-scatter on the way up and all-gather on the way down, each dimension with the
// part of the payload that the ones below have left. One dimension is the plain ring.

#include <vector>

#include "sim/base/units.h"
#include "sim/collective/rank_times.h"
#include "sim/schedule/schedule.h"

namespace heddle::collective {

struct GridDimension {
  std::size_t ranks = 1;
  Bandwidth link;  // of each rank, to its neighbour in this dimension
  Duration latency;
};

/// The first dimension's ranks follow each other: rank = p0 + n0 (p1 + n1 p2 ...).
class Grid {
 public:
  /// `link_factors`, by rank: a rank's links take that many times as long; empty: all alike.
  explicit Grid(std::vector<GridDimension> dimensions, std::vector<double> link_factors = {});

  std::size_t ranks() const { return ranks_; }
  /// Arrivals in, ends out. All-reduce, all-gather or reduce-scatter of `payload`, nccl-tests'
  /// size; a send is rounded up to the next picosecond.
  void run(schedule::CollectiveKind kind, Bytes payload, RankTimes& times);
  /// Sends of all ranks together.
  std::uint64_t sends(schedule::CollectiveKind kind) const;

 private:
  void pass(std::size_t dimension, std::size_t steps, Bytes payload, RankTimes& times);
  std::size_t steps_up(schedule::CollectiveKind kind, std::size_t dimension) const;
  std::size_t steps_down(schedule::CollectiveKind kind, std::size_t dimension) const;

  std::vector<GridDimension> dimensions_;
  std::vector<double> link_factors_;
  std::vector<std::size_t> strides_;
  std::size_t ranks_ = 1;
  RankTimes sends_;
  RankTimes scratch_;
};

}  // namespace heddle::collective
