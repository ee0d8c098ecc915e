#pragma once
// Reads heddle.allocator-trace/1: requests to a caching allocator, as sim/allocator/
// snapshot_to_trace.py makes them from a PyTorch memory snapshot.

#include <optional>
#include <string>
#include <string_view>

#include "sim/allocator/trace.h"
#include "sim/base/diagnostics.h"

namespace heddle::io {

/// {"format": "heddle.allocator-trace/1", "source": TEXT, "initial_allocations": N,
///  "reserved_before": BYTES, "events": [EVENT, ...]}; only format and events are required. Times
/// are whole microseconds, bytes whole numbers, ids and streams any whole numbers from 0:
///   ["alloc", id, bytes, stream, time]
///   ["free", id, time, [stream, until], ...]   until when other streams still use the block
///   ["segment_alloc", bytes, time]  ["segment_free", bytes, time]   recorded, not replayed
/// An id may be used again once it is free. All problems are reported; nothing if there is one.
std::optional<allocator::Trace> read_allocator_trace(std::string_view text, const std::string& file,
                                                     Diagnostics& out);

}  // namespace heddle::io
