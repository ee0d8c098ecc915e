#pragma once
// PyTorch's CUDA caching allocator without the memory: it decides where blocks lie, what is taken
// from the device and when that fails. See README.md for the rules.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/allocator/allocator_config.h"
#include "sim/allocator/allocator_stats.h"
#include "sim/allocator/block_table.h"
#include "sim/allocator/device_memory.h"
#include "sim/allocator/expandable_ranges.h"
#include "sim/allocator/heap.h"
#include "sim/allocator/pending_frees.h"
#include "sim/allocator/snapshot.h"
#include "sim/base/units.h"

namespace heddle::allocator {

/// A use of a block on a stream other than its own, known by when it ends.
struct StreamUse {
  std::uint16_t stream = 0;
  SimTime done;
};

class CachingAllocator {
 public:
  /// `device` must outlive it.
  CachingAllocator(const AllocatorConfig& config, DeviceMemory& device)
      : heap_(config, device), ranges_(heap_) {}
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  /// The block, valid until it is freed; kNoBlock when out of memory, which leaves the allocator
  /// usable. `bytes` is positive, `owner` the caller's name for the block, `now` never goes back.
  BlockIndex allocate(Bytes bytes, std::uint16_t stream, SimTime now, std::uint32_t owner = 0);
  /// Free for other requests at once, or, if it was used on other streams, at the first allocation
  /// after these are done. Uses on the block's own stream are ignored, as record_stream() does.
  void free(BlockIndex block, std::span<const StreamUse> uses = {});
  /// torch.cuda.empty_cache(): waits for pending blocks, then releases what is cached.
  void empty_cache();

  const AllocatorStats& stats() const { return heap_.stats; }
  void reset_peaks() { heap_.stats.reset_peaks(); }
  /// What the block occupies, which can be more than its rounded size.
  Bytes size_of(BlockIndex block) const { return {heap_.blocks[block].size}; }
  std::int64_t address_of(BlockIndex block) const { return heap_.blocks[block].address; }
  std::vector<SegmentView> snapshot() const { return snapshot_of(heap_.blocks); }

 private:
  struct Request {
    std::int64_t size = 0;  // rounded
    std::uint16_t stream = 0;
    bool small = false;
  };

  BlockIndex find_cached(const Request& request);
  BlockIndex grow(const Request& request);
  BlockIndex from_device(const Request& request);
  bool should_split(const Request& request, BlockIndex block) const;
  /// Hands the block out, its remainder going back to the pool if it is split.
  BlockIndex hand_out(const Request& request, BlockIndex block, std::uint32_t owner);
  void event_done(BlockIndex block);
  void return_to_pool(BlockIndex block);

  Heap heap_;
  ExpandableRanges ranges_;
  PendingFrees pending_;
};

}  // namespace heddle::allocator
