#pragma once
// What a case assumes beyond its machine: changes and the traffic of others.

#include <string>

#include "sim/run/case_result.h"
#include "sim/run/scenario.h"

namespace heddle::cli {

/// "  what-if: gpu0 - gpu1 down" and "  beside: checkpoint: ...", a line each; "" if nothing.
std::string what_if_lines(const run::FabricChoice& choice);
/// What the slow GPUs and the others' traffic did; "" if there are none.
std::string explain_others(const run::CaseResult& result);

}  // namespace heddle::cli
