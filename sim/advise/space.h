#pragma once
// Everything that advice weighs for one job on one machine: the same global batch throughout.

#include <cstddef>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/run/machine_shelf.h"
#include "sim/run/scenario.h"

namespace heddle::advise {

/// How the batch of a rank and step is computed.
struct BatchChoice {
  std::int64_t micro_batch = 1;
  std::int64_t accumulation = 1;
  model::Checkpointing checkpointing = model::Checkpointing::kNone;
};

struct Space {
  run::Scenario base;                           // of which the rest is kept
  std::vector<run::FabricChoice> places;        // the job's own first
  std::vector<run::StrategyChoice> strategies;  // those of the scenario first
  std::vector<BatchChoice> batches;
  int gpus = 0;  // of every candidate

  std::size_t size() const { return places.size() * strategies.size() * batches.size(); }
};

/// Indices into a space.
struct Candidate {
  std::size_t place = 0;
  std::size_t strategy = 0;
  std::size_t batch = 0;
};

/// `fabric`: index into the scenario's fabrics; placements are those of as many GPUs on that
/// machine. An error if the machine cannot be had.
std::optional<Space> space_of(const run::Scenario& scenario, std::size_t fabric,
                              run::MachineShelf& shelf, Diagnostics& out);

/// The candidate alone, as a scenario of one case.
run::Scenario scenario_of(const Space& space, const Candidate& candidate);

}  // namespace heddle::advise
