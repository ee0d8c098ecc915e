#pragma once
// A collective's own time out of what its members measured: from the last one there to the last one
// done. Each member's interval also holds its wait for the others.

#include <cstdint>
#include <vector>

#include "sim/engine/run_result.h"

namespace heddle::judge {

struct CollectiveCall {
  schedule::CollectiveId id;
  std::uint32_t op = 0;  // of the first member's program
  SimTime start;
  SimTime end;
  Duration duration() const { return end - start; }
};

/// Of an unfolded run, in the order of each group of a communicator.
std::vector<CollectiveCall> collective_calls(const schedule::Schedule& schedule,
                                             const engine::RunResult& run);

}  // namespace heddle::judge
