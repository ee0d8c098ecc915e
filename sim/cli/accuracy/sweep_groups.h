#pragma once
// Statistics over scored sweeps; one figure per sweep and size class, so that a long table does not
// outweigh a short one.

#include <vector>

#include "sim/cli/accuracy/record.h"
#include "sim/cli/accuracy/sweep_score.h"

namespace heddle::cli::accuracy {

/// "size", "gpu", "collective", "nodes", "forced": by size class over all scored sweeps (primary),
/// then by class and GPU kind, by class and collective, by class and one or many machines, then the
/// factors of forced ways.
std::vector<ScoredGroup> sweep_groups(const SweepScores& scores);

}  // namespace heddle::cli::accuracy
