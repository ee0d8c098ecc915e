#pragma once

#include <string>

#include "sim/cli/accuracy/score.h"

namespace heddle::cli::accuracy {

/// Predicted against measured for a terminal, the figures behind each row, then the groups.
std::string score_table(const Score& score);
/// What was not predicted and why; empty if all was.
std::string unsupported_text(const std::vector<Unsupported>& unsupported);
/// Schema heddle.accuracy/1.
std::string score_json(const Score& score);

}  // namespace heddle::cli::accuracy
