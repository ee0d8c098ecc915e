#pragma once

#include <string>

#include "sim/cli/accuracy/sweep_score.h"

namespace heddle::cli::accuracy {

/// Per sweep, then the groups, the forced ways beside their siblings, and what is unsupported.
std::string sweep_score_table(const SweepScores& scores);
/// Schema heddle.accuracy/1.
std::string sweep_score_json(const SweepScores& scores);

}  // namespace heddle::cli::accuracy
