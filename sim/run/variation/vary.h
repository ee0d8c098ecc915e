#pragma once
// Draws of a case: parameters, GPUs, steps and the model's own error, each with its declared sigma.
// README.md beside this file has the equations.

#include <span>

#include "sim/run/study.h"

namespace heddle::run {

inline constexpr int kMostDraws = 100'000;

/// Sets `variation` of each result; `results[i]` is what study.run(cases[i]) gave. Draw i is the
/// same whatever the number of draws and whichever cases are looked at.
void vary(const Study& study, std::span<const CaseId> cases, int draws,
          std::span<CaseResult> results);

}  // namespace heddle::run
