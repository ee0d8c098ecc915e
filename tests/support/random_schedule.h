#pragma once
// Small random schedules with costs of their own, for property tests of the engine. Sound by
// construction: one global list of actions is dealt to the programs in order, so every dependence
// (stream, event, communicator, host) points backwards in that list and nothing can deadlock.

#include <cstdint>
#include <vector>

#include "sim/collective/collective_model.h"
#include "sim/engine/cost_table.h"
#include "sim/schedule/schedule.h"

namespace heddle::test {

struct RandomCase {
  RandomCase() = default;
  RandomCase(RandomCase&&) = default;  // a copy's costs would point into the original's uses
  RandomCase& operator=(RandomCase&&) = default;

  schedule::Schedule schedule;
  engine::CostTable costs;
  std::vector<std::vector<collective::LinkUse>> uses;  // by collective; costs point here
};

/// 1 to 3 programs of 1 to 3 ranks, 2 steps, up to 6 links; the same for the same seed.
RandomCase random_case(std::uint64_t seed);

/// Slows some of the ranks' GPUs; some ranks of a program keep their speed.
void add_slow_gpus(RandomCase& c, std::uint64_t seed);

/// One to three flows of background traffic, steady and periodic, over some of the links.
void add_background(RandomCase& c, std::uint64_t seed);

/// Makes the costs agree with `uses` and the links' capacities after a change to either: spans,
/// rate and total with the links to itself.
void refresh_costs(RandomCase& c);

}  // namespace heddle::test
