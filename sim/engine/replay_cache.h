#pragma once
// Allocator replays of one schedule, kept. What the caching allocator does follows from a rank's
// Alloc and Free ops, which are the schedule's, and from when it finds each block done that other
// streams use: at the first allocation whose host time is not before the end of these uses (streams
// end in order, so no block waits for another). Ranks, and runs on other wires, that agree in that
// share a replay; only the times of its samples are their own.

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/allocator/allocator_config.h"
#include "sim/engine/allocator_result.h"
#include "sim/engine/rank_state.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

struct ExecutorOptions;

class ReplayCache {
 public:
  /// As replay_allocator(), which a recording run always calls: its samples are not kept. For one
  /// schedule only, from any number of threads.
  AllocatorResult replay(const schedule::Schedule& schedule, const RankState& rank,
                         const std::vector<SimTime>& marks, const ExecutorOptions& options);

 private:
  struct Known {
    const schedule::Program* program = nullptr;
    allocator::AllocatorConfig allocator;
    Bytes memory_limit;
    std::vector<std::uint32_t> found_done;  // by use of a block by another stream
    AllocatorResult result;
  };

  std::shared_ptr<const Known> find(const Known& wanted);

  std::mutex mutex_;
  std::vector<std::shared_ptr<const Known>> known_;
};

}  // namespace heddle::engine
