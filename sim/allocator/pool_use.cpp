#include "sim/allocator/pool_use.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::allocator {
namespace {

void add(const SegmentView& segment, PoolUse& pool) {
  ++pool.segments;
  pool.reserved += segment.size;
  for (const BlockView& block : segment.blocks) {
    if (block.state != BlockState::kFree) {
      pool.active += block.size;
      continue;
    }
    if (segment.blocks.size() > 1) pool.split += block.size;
    pool.largest_free = std::max(pool.largest_free, block.size);
  }
}

}  // namespace

std::vector<PoolUse> pool_use(std::span<const SegmentView> segments) {
  std::map<std::pair<std::uint16_t, bool>, PoolUse> pools;
  for (const SegmentView& segment : segments) {
    PoolUse& pool = pools[{segment.stream, segment.small}];
    pool.stream = segment.stream;
    pool.small = segment.small;
    add(segment, pool);
  }
  std::vector<PoolUse> out;
  for (const auto& [key, pool] : pools) out.push_back(pool);
  return out;
}

}  // namespace heddle::allocator
