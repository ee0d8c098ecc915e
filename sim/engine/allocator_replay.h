#pragma once
// A second pass over a simulated rank: its Alloc and Free ops, at the host's times, through the
// caching allocator. The host runs ahead of its streams, so when another stream is done with a
// block (record_stream) is known only after the simulation.

#include "sim/engine/allocator_result.h"
#include "sim/engine/executor.h"
#include "sim/engine/rank_state.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

/// `rank` is finished and logged its memory ops; `marks` are its host times.
AllocatorResult replay_allocator(const schedule::Schedule& schedule, const RankState& rank,
                                 const std::vector<SimTime>& marks, const ExecutorOptions& options);

}  // namespace heddle::engine
