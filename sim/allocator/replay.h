#pragma once
// A trace through the allocator: peaks and when, what was alive, segments, and recorded against
// emulated reserved memory.

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/allocator/allocator_config.h"
#include "sim/allocator/allocator_stats.h"
#include "sim/allocator/snapshot.h"
#include "sim/allocator/trace.h"

namespace heddle::allocator {

struct ReplayOptions {
  AllocatorConfig config;
  Bytes capacity = kUnlimited;
  std::size_t top_blocks = 10;
  bool keep_timeline = false;
};

/// The allocator right after an event.
struct ReplayMoment {
  std::size_t event = 0;  // index in the trace
  SimTime time;
  Bytes allocated;
  Bytes active;
  Bytes reserved;
};

struct AliveBlock {
  std::uint32_t id = 0;
  Bytes requested;
  std::uint16_t stream = 0;
  SimTime since;
};

struct ReplayFailure {
  ReplayMoment before;
  Bytes requested;
  std::uint16_t stream = 0;
};

/// What the trace says the device gave, by its segment events.
struct RecordedReserved {
  Bytes peak;
  SimTime peak_time;
  Bytes last;
};

struct ReplayResult {
  AllocatorStats stats;         // at the end
  ReplayMoment peak_allocated;  // first moments of the most
  ReplayMoment peak_active;
  ReplayMoment peak_reserved;
  std::vector<AliveBlock> largest;    // requests alive at peak_allocated, by size, then by id
  std::size_t alive = 0;              // and how many there were in all
  std::vector<SegmentView> segments;  // at peak_reserved
  std::optional<ReplayFailure> out_of_memory;  // the first; from there on without a limit
  std::optional<RecordedReserved> recorded;    // if the trace has segment events
  std::vector<ReplayMoment> timeline;          // after every kAlloc and kFree, if kept
};

/// `trace` must be sound: ids in range, allocated once, freed while allocated.
ReplayResult replay(const Trace& trace, const ReplayOptions& options);

}  // namespace heddle::allocator
