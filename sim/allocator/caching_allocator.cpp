#include "sim/allocator/caching_allocator.h"

#include "sim/allocator/cache_release.h"
#include "sim/base/check.h"

namespace heddle::allocator {
namespace {

/// Best fit among blocks that can grow goes by what they can grow to: the walk goes on while the
/// next, bigger block could grow to less.
FreeList::Position prefer_least_growth(const Heap& heap, const FreeList& free,
                                       FreeList::Position at) {
  const auto reach = [&](FreeList::Position p) {
    const Block& block = heap.blocks[free[p]];
    const bool grows = block.next != kNoBlock && !heap.blocks[block.next].mapped;
    return block.size + (grows ? heap.blocks[block.next].size : 0);
  };
  for (auto after = free.next(at);
       heap.blocks[free[at]].in_range() && after != free.end() && reach(after) < reach(at);
       after = free.next(at)) {
    at = after;
  }
  return at;
}

}  // namespace

BlockIndex CachingAllocator::find_cached(const Request& request) {
  BlockPool& pool = heap_.pool(request.small);
  if (heap_.collects_garbage()) ++pool.searches;
  FreeList& free = pool.free[request.stream];
  auto at = free.lower_bound({request.size, -1, kNoBlock});
  if (at == free.end()) return kNoBlock;
  if (heap_.config.expandable_segments) at = prefer_least_growth(heap_, free, at);
  const BlockIndex found = free[at];
  const std::int64_t size = heap_.blocks[found].size;
  const std::int64_t oversize = heap_.config.max_split_size.value;
  // Oversize blocks are for oversize requests, and only for those that nearly fill them.
  if (request.size < oversize && size >= oversize) return kNoBlock;
  if (request.size >= oversize &&
      size >= request.size + heap_.config.max_non_split_rounding.value) {
    return kNoBlock;
  }
  free.erase(at);
  return found;
}

BlockIndex CachingAllocator::from_device(const Request& request) {
  const Bytes bytes = segment_size({request.size});
  if (bytes > heap_.allowed() - heap_.stats.reserved.current) return kNoBlock;
  if (heap_.config.expandable_segments) {
    return ranges_.allocate(request.stream, request.small, request.size);
  }
  if (!heap_.device.reserve(bytes)) return kNoBlock;
  heap_.stats.reserved.add(bytes.value);
  ++heap_.stats.segments;
  ++heap_.stats.device_allocs;
  Block block;
  block.address = heap_.take_addresses(bytes.value);
  block.size = bytes.value;
  block.stream = request.stream;
  block.small = request.small;
  return heap_.blocks.create(block);
}

BlockIndex CachingAllocator::grow(const Request& request) {
  if (heap_.collects_garbage()) collect_garbage(heap_);
  BlockIndex block = from_device(request);
  if (block == kNoBlock && release_oversize(heap_, request.stream, request.small, request.size)) {
    block = from_device(request);
  }
  if (block == kNoBlock) {
    empty_cache();
    ++heap_.stats.retries;
    block = from_device(request);
  }
  return block;
}

bool CachingAllocator::should_split(const Request& request, BlockIndex block) const {
  const std::int64_t remaining = heap_.blocks[block].size - request.size;
  if (request.small || heap_.config.expandable_segments) return remaining >= kMinBlock.value;
  return request.size < heap_.config.max_split_size.value && remaining > kSmallSize.value;
}

BlockIndex CachingAllocator::hand_out(const Request& request, BlockIndex block,
                                      std::uint32_t owner) {
  const bool counts = !heap_.blocks[block].in_range();
  const bool was_split = heap_.blocks[block].is_split();
  if (counts && was_split) heap_.stats.inactive_split.add(-heap_.blocks[block].size);
  if (should_split(request, block)) {
    Block rest = heap_.blocks[block];
    rest.address += request.size;
    rest.size -= request.size;
    const BlockIndex after = rest.next;
    const BlockIndex remainder = heap_.blocks.create(rest);
    heap_.blocks[block].size = request.size;
    heap_.blocks.splice(remainder, block, after);
    heap_.insert_free(remainder);
    if (counts) heap_.stats.inactive_split.add(rest.size);
  }
  Block& out = heap_.blocks[block];
  out.state = BlockState::kAllocated;
  out.owner = owner;
  ++heap_.stats.allocations;
  heap_.stats.allocated.add(out.size);
  heap_.stats.active.add(out.size);
  return block;
}

BlockIndex CachingAllocator::allocate(Bytes bytes, std::uint16_t stream, SimTime now,
                                      std::uint32_t owner) {
  HEDDLE_CHECK(bytes.value > 0, "a request for nothing has no block");
  heap_.know_stream(stream);
  pending_.process(now, [this](BlockIndex block) { event_done(block); });
  const Bytes size = rounded_size(bytes, heap_.config);
  const Request request{size.value, stream, is_small(size)};
  BlockIndex block = find_cached(request);
  if (block == kNoBlock) block = grow(request);
  if (block == kNoBlock) {
    ++heap_.stats.out_of_memory;
    return kNoBlock;
  }
  return hand_out(request, block, owner);
}

void CachingAllocator::free(BlockIndex block, std::span<const StreamUse> uses) {
  Block& freed = heap_.blocks[block];
  HEDDLE_CHECK(freed.state == BlockState::kAllocated, "a block is freed that is not allocated");
  --heap_.stats.allocations;
  heap_.stats.allocated.add(-freed.size);
  freed.state = BlockState::kPending;
  for (const StreamUse& use : uses) {
    if (use.stream == freed.stream) continue;
    ++freed.events;
    pending_.add(use.stream, use.done, block);
  }
  if (freed.events == 0) return_to_pool(block);
}

void CachingAllocator::event_done(BlockIndex block) {
  if (--heap_.blocks[block].events == 0) return_to_pool(block);
}

void CachingAllocator::return_to_pool(BlockIndex block) {
  heap_.blocks[block].state = BlockState::kFree;
  heap_.stats.active.add(-heap_.blocks[block].size);
  std::int64_t inactive = -heap_.merge(block, heap_.blocks[block].previous);
  inactive -= heap_.merge(block, heap_.blocks[block].next);
  heap_.insert_free(block);
  const Block& free = heap_.blocks[block];
  if (free.in_range()) return;
  if (free.is_split()) inactive += free.size;
  heap_.stats.inactive_split.add(inactive);
}

void CachingAllocator::empty_cache() {
  pending_.synchronize([this](BlockIndex block) { event_done(block); });
  release_all(heap_, ranges_);
}

}  // namespace heddle::allocator
