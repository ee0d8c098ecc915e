#pragma once
// What the allocator gives back to the device, and when.

#include <cstdint>

#include "sim/allocator/expandable_ranges.h"
#include "sim/allocator/heap.h"

namespace heddle::allocator {

/// With max_split_size set: one oversize block of the stream that would do, or several, largest
/// first, until they add up to the request. False if they do not.
bool release_oversize(Heap& heap, std::uint16_t stream, bool small, std::int64_t size);
/// Every free segment that is not split, and every free page of expandable ranges.
void release_all(Heap& heap, ExpandableRanges& ranges);
/// Above the threshold: whole cached large segments at least as old as the average, until enough is
/// reclaimed. The age of a block is the number of searches its pool has seen since it was freed.
void collect_garbage(Heap& heap);

}  // namespace heddle::allocator
