#pragma once
// Small random sharing problems: links and activities that use several of them with weights.

#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/fluid_network.h"

namespace heddle::test {

struct NetworkActivity {
  Bytes payload;  // zero: never ends
  Bandwidth cap;
  std::vector<engine::ResourceUse> uses;
};

struct RandomNetwork {
  std::vector<Bandwidth> capacities;
  std::vector<NetworkActivity> activities;
};

enum class Weights { kOne, kWhole, kAny };  // every use 1; 1 to 3; any up to 3

struct NetworkShape {
  int max_links = 8;
  int max_activities = 12;
  Weights weights = Weights::kAny;
  int endless = 0;  // more activities that never end, all capped
};

RandomNetwork random_network(std::uint64_t seed, const NetworkShape& shape);

/// Adds the activity, endless or not.
engine::ActivityId add_to(engine::FluidNetwork& fluid, const NetworkActivity& activity);

/// When each activity ends, run to the end by a FluidNetwork; all start at time 0. Zero for those
/// that never do.
std::vector<SimTime> fluid_finish_times(const RandomNetwork& network);

}  // namespace heddle::test
