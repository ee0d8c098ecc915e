#pragma once
// Traffic of others on the same links: checkpoints, data loading, another tenant's collectives. It
// shares the links like the job's own collectives and ends with the run.

#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/types.h"

namespace heddle::engine {

/// Steady (no payload): it wants `cap` all the time and never ends. Otherwise transfer k begins at
/// `start` + k * `period`, or when transfer k - 1 ends if that is later: one at a time, late ones
/// queue. Without a period each begins where the one before ended.
struct BackgroundFlow {
  std::string name;
  Bytes payload;     // of one transfer; zero: steady
  Bandwidth cap;     // of the payload rate
  Duration latency;  // of each transfer, before it moves anything
  Duration period;
  SimTime start;
  std::vector<collective::LinkUse> uses;
};

}  // namespace heddle::engine
