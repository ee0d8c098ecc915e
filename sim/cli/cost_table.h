#pragma once
// What each case costs, for a terminal.

#include <span>
#include <string>

#include "sim/run/study.h"

namespace heddle::cli {

/// A row per result; "" for a scenario without prices.
std::string cost_table(const run::Study& study, std::span<const run::CaseResult> results);

}  // namespace heddle::cli
