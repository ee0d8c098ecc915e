#pragma once
// Which collective, over which sizes.

#include "sim/cli/sweep.h"

namespace CLI {
class App;
}

namespace heddle::cli {

struct SweepOptions {
  schedule::CollectiveKind kind = schedule::CollectiveKind::kAllReduce;
  SweepRange range;
};

/// --collective, --min, --max, --factor.
void add_sweep_options(CLI::App& verb, SweepOptions& options);

/// Throws UsageError on a range upside down, BadInput where nothing can run the collective.
void check_sweep(const SweepOptions& options, const run::Machine& machine);

}  // namespace heddle::cli
