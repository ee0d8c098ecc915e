#include "sim/allocator/cache_release.h"

#include <algorithm>
#include <vector>

namespace heddle::allocator {
namespace {

/// Largest first, from the end of the list down. Blocks of expandable ranges have no segment to
/// give back; they end the search.
bool release_several(Heap& heap, FreeList& free, std::int64_t size) {
  std::int64_t released = 0;
  while (released < size && !free.empty()) {
    const BlockIndex largest = free[free.previous(free.end())];
    const Block& block = heap.blocks[largest];
    if (block.size < heap.config.max_split_size.value || block.is_split() || block.in_range())
      break;
    released += block.size;
    heap.release_segment(largest);
  }
  return released >= size;
}

/// Cached segments of the large pool that garbage collection may take.
std::vector<BlockIndex> whole_segments(const Heap& heap) {
  std::vector<BlockIndex> found;
  for (const FreeList& free : heap.pools[0].free) {
    for (const BlockIndex i : free.all()) {
      if (!heap.blocks[i].is_split() && !heap.blocks[i].in_range()) found.push_back(i);
    }
  }
  return found;
}

}  // namespace

bool release_oversize(Heap& heap, std::uint16_t stream, bool small, std::int64_t size) {
  const std::int64_t oversize = heap.config.max_split_size.value;
  if (heap.config.max_split_size == kUnlimited) return false;
  FreeList& free = heap.pool(small).free[stream];
  const std::int64_t wanted = std::max(size, oversize);
  const auto fitting = free.lower_bound({wanted, -1, kNoBlock});
  if (fitting == free.end()) return release_several(heap, free, wanted);
  if (heap.blocks[free[fitting]].in_range()) return false;
  heap.release_segment(free[fitting]);
  return true;
}

void release_all(Heap& heap, ExpandableRanges& ranges) {
  std::vector<BlockIndex> to_unmap;
  for (BlockPool& pool : heap.pools) {
    to_unmap.clear();
    for (FreeList& free : pool.free) {
      for (const BlockIndex i : free.all()) {
        if (heap.blocks[i].in_range()) {
          to_unmap.push_back(i);
        } else if (!heap.blocks[i].is_split()) {
          heap.release_segment(i);
        }
      }
    }
    for (const BlockIndex i : to_unmap) ranges.unmap(i);
  }
}

void collect_garbage(Heap& heap) {
  const auto threshold = static_cast<std::int64_t>(heap.config.garbage_collection_threshold *
                                                   static_cast<double>(heap.allowed().value));
  const std::int64_t target = heap.stats.reserved.current.value - threshold;
  if (target <= 0) return;
  std::vector<BlockIndex> cached = whole_segments(heap);
  const auto age = [&](BlockIndex i) {
    return static_cast<double>(heap.pools[0].searches - heap.blocks[i].searches_then);
  };
  double total_age = 0;
  for (const BlockIndex i : cached) total_age += age(i);
  std::int64_t reclaimed = 0;
  for (bool freed = true; freed && reclaimed < target && !cached.empty();) {
    const double oldest = total_age / static_cast<double>(cached.size());
    const auto kept = std::stable_partition(cached.begin(), cached.end(),
                                            [&](BlockIndex i) { return age(i) < oldest; });
    freed = kept != cached.end();
    for (auto i = kept; i != cached.end(); ++i) {
      reclaimed += heap.blocks[*i].size;
      total_age -= age(*i);
      heap.release_segment(*i);
    }
    cached.erase(kept, cached.end());
  }
}

}  // namespace heddle::allocator
