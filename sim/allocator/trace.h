#pragma once
// A sequence of requests, recorded or made up, and what was recorded beside it.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace heddle::allocator {

struct TraceEvent {
  enum class Kind : std::uint8_t {
    kAlloc,
    kUse,  // record_stream: `stream` uses the block until `time`; before its kFree
    kFree,
    kSegmentAlloc,  // recorded: bytes that the device gave, by cudaMalloc or mapping
    kSegmentFree,   // recorded: bytes given back
  };
  Kind kind = Kind::kAlloc;
  std::uint16_t stream = 0;
  std::uint32_t id = 0;  // of the allocation, below Trace::allocations
  Bytes bytes;
  SimTime time;  // never goes back, but for kUse
};

struct Trace {
  std::vector<TraceEvent> events;
  std::uint32_t allocations = 0;
  std::uint32_t initial_allocations = 0;  // the first so many rebuild what was alive at the start
  Bytes reserved_before;                  // recorded, at the start
  std::string source;
};

}  // namespace heddle::allocator
