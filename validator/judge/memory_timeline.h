#pragma once
// Memory of the last step, Alloc by Alloc and Free by Free, for a picture of both sides.

#include <array>
#include <vector>

#include "sim/engine/run_result.h"

namespace heddle::judge {

/// Right after one Alloc or Free. Counts have no time: where it stands is for a picture to say.
struct MemoryMoment {
  std::uint32_t op = 0;
  Bytes measured;
  std::array<Bytes, schedule::kCategoryCount> predicted{};
};

struct MemoryTimeline {
  int rank = 0;
  std::vector<MemoryMoment> moments;  // the first is what the step begins with
};

/// Of the rank that is predicted to need the most; both results are of `schedule`, `counted`
/// unfolded. Empty where either holds no memory samples.
MemoryTimeline memory_timeline(const schedule::Schedule& schedule,
                               const engine::RunResult& predicted,
                               const engine::RunResult& counted);

}  // namespace heddle::judge
