#pragma once
// Statistics over scored sweeps; one figure per sweep and size class, so that a long table does not
// outweigh a short one.

#include <vector>

#include "sim/cli/accuracy/record.h"
#include "sim/cli/accuracy/sweep_score.h"

namespace heddle::cli::accuracy {

struct SweepGroup {
  std::string by;  // "size", "gpu", "collective", "nodes", "forced"
  GroupStatistics statistics;
  bool is_primary = false;  // in the overall
};

/// By size class over all scored sweeps (primary), then by class and GPU kind, by class and
/// collective, by class and one or many machines, then the factors of forced ways.
std::vector<SweepGroup> sweep_groups(const SweepScores& scores);

/// Mean over the primary groups.
GroupStatistics sweep_overall(const std::vector<SweepGroup>& groups);

}  // namespace heddle::cli::accuracy
