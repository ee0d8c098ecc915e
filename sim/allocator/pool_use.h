#pragma once
// Segments summed by pool: how much of what is reserved is of use.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/allocator/snapshot.h"
#include "sim/base/units.h"

namespace heddle::allocator {

struct PoolUse {
  std::uint16_t stream = 0;
  bool small = false;
  std::int64_t segments = 0;
  Bytes reserved;
  Bytes active;
  Bytes split;         // free parts of segments partly in use: an empty_cache() leaves them
  Bytes largest_free;  // one block
};

/// By stream, the large pool first; pools without segments are left out.
std::vector<PoolUse> pool_use(std::span<const SegmentView> segments);

}  // namespace heddle::allocator
