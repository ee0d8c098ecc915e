#pragma once
// What the caching allocator makes of a rank's Alloc and Free ops: see allocator_replay.h.

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/units.h"

namespace heddle::engine {

/// The allocator right after an op. allocated <= active <= reserved.
struct AllocatorSample {
  SimTime time;          // the host's
  std::uint32_t op = 0;  // of the program
  Bytes allocated;  // blocks handed out: more than the buffers' bytes where a rest is not split
  Bytes active;     // and freed ones whose other streams are not done
  Bytes reserved;   // segments and pages taken from the device
};

/// The first request that the device could not meet.
struct OutOfMemory {
  AllocatorSample state;  // before the request
  Bytes requested;        // by the op
};

struct AllocatorResult {
  AllocatorSample peak_active;                    // first moment of the most, in the whole run
  AllocatorSample peak_reserved;                  // within an op: `reserved` is the most there was
  std::vector<AllocatorSample> step_peak_active;  // by step, what its begin holds included
  std::vector<AllocatorSample> step_peak_reserved;
  std::vector<AllocatorSample> marks;        // by index of RankResult::marks
  std::optional<OutOfMemory> out_of_memory;  // from there on as if the device had no limit
  std::int64_t retries = 0;                  // requests met only after the cache was released
  std::vector<AllocatorSample> samples;      // after every Alloc and Free; empty unless recorded
};

}  // namespace heddle::engine
