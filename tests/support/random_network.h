#pragma once
// Small random sharing problems: links and activities that use several of them with weights.

#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/fluid_network.h"

namespace heddle::test {

struct NetworkActivity {
  Bytes payload;
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
};

RandomNetwork random_network(std::uint64_t seed, const NetworkShape& shape);

/// When each activity ends, run to the end by a FluidNetwork; all start at time 0.
std::vector<SimTime> fluid_finish_times(const RandomNetwork& network);

}  // namespace heddle::test
