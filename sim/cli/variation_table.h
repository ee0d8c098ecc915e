#pragma once
// How far each step may be from its prediction, for a terminal.

#include <span>
#include <string>

#include "sim/run/study.h"

namespace heddle::cli {

/// A row per result; "" if they were not varied.
std::string variation_table(const run::Study& study, std::span<const run::CaseResult> results);

}  // namespace heddle::cli
