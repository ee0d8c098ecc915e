#pragma once
// A scenario cut down to what small hardware can run: fewer ranks, a smaller model. Predicted and
// run is the small one; its case is that of the large one with other numbers.

#include <string>

#include "sim/run/scenario.h"

namespace heddle::validator_cli {

/// Heads, layers, MLP and vocabulary times `factor`, at least one head and two layers; a head keeps
/// its size. `factor` in (0, 1].
void shrink_model(run::Scenario& scenario, double factor);

/// The fabric's first `ranks` GPUs; why that cannot be, "" if it can.
std::string keep_ranks(run::FabricChoice& fabric, int ranks);

}  // namespace heddle::validator_cli
