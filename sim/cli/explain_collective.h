#pragma once
// heddle explain collective: what NCCL finds on a machine and what it would choose.

#include "sim/cli/environment.h"
#include "sim/cli/verbs.h"

namespace CLI {
class App;
}

namespace heddle::cli {

/// Below `heddle explain`.
void add_explain_collective(CLI::App& explain, const Environment& env, Action& action);

}  // namespace heddle::cli
