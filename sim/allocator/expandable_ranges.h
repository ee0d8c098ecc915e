#pragma once
// Expandable segments: a range of addresses per stream and pool that gets its memory page by page
// (2 MiB small, 20 MiB large), so that blocks behind it can grow.

#include <cstdint>
#include <vector>

#include "sim/allocator/heap.h"

namespace heddle::allocator {

class ExpandableRanges {
 public:
  explicit ExpandableRanges(Heap& heap) : heap_(heap) {}

  /// A free block of at least `size`, taken out of its list, made of free blocks and new pages at
  /// the lowest address with room; none if the device is full (pages mapped until then stay).
  BlockIndex allocate(std::uint16_t stream, bool small, std::int64_t size);
  /// Unmaps the whole pages inside a free block; the range goes when nothing of it is mapped.
  void unmap(BlockIndex block);

 private:
  struct Range {
    std::int64_t begin = 0;
    std::int64_t size = 0;
    std::int64_t page = 0;
  };

  bool usable(BlockIndex i) const;
  bool has_room(BlockIndex from, std::int64_t size) const;
  BlockIndex find_place(std::uint16_t stream, bool small, std::int64_t size);
  BlockIndex new_range(std::uint16_t stream, bool small, std::int64_t request);
  bool map(BlockIndex block, std::int64_t size);
  /// Cuts the block in two and returns the upper part, which is in no list yet.
  BlockIndex cut(BlockIndex block, std::int64_t size);
  void drop_if_empty(BlockIndex block);

  Heap& heap_;
  std::vector<Range> ranges_;
};

}  // namespace heddle::allocator
