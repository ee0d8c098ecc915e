#include "sim/allocator/expandable_ranges.h"

#include <algorithm>

namespace heddle::allocator {
namespace {

constexpr std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

bool ExpandableRanges::usable(BlockIndex i) const {
  return i != kNoBlock && heap_.blocks[i].state == BlockState::kFree;
}

bool ExpandableRanges::has_room(BlockIndex from, std::int64_t size) const {
  std::int64_t bytes = 0;
  for (BlockIndex i = from; bytes < size && usable(i); i = heap_.blocks[i].next) {
    bytes += heap_.blocks[i].size;
  }
  return bytes >= size;
}

BlockIndex ExpandableRanges::find_place(std::uint16_t stream, bool small, std::int64_t size) {
  const FreeList& unmapped = heap_.pool(small).unmapped[stream];
  for (auto at = unmapped.begin(); at != unmapped.end(); at = unmapped.next(at)) {
    BlockIndex candidate = unmapped[at];
    const BlockIndex before = heap_.blocks[candidate].previous;
    if (usable(before)) candidate = before;
    if (has_room(candidate, size)) return candidate;
  }
  return new_range(stream, small, size);
}

BlockIndex ExpandableRanges::new_range(std::uint16_t stream, bool small, std::int64_t request) {
  const std::int64_t page = (small ? kSmallSegment : kLargeSegment).value;
  // As PyTorch: 9/8 of the device's memory. A device without limit has as much as it takes.
  const std::int64_t memory = std::min(heap_.device.capacity().value, std::int64_t{1} << 45);
  const std::int64_t size = round_up(std::max(memory + memory / 8, request), page);
  Block block;
  block.address = heap_.take_addresses(size);
  block.size = size;
  block.range = static_cast<std::int32_t>(ranges_.size());
  block.stream = stream;
  block.small = small;
  block.mapped = false;
  ranges_.push_back({block.address, size, page});
  const BlockIndex i = heap_.blocks.create(block);
  heap_.insert_unmapped(i);
  return i;
}

BlockIndex ExpandableRanges::cut(BlockIndex block, std::int64_t size) {
  Block upper = heap_.blocks[block];
  upper.address += size;
  upper.size -= size;
  const BlockIndex after = upper.next;
  const BlockIndex i = heap_.blocks.create(upper);
  heap_.blocks[block].size = size;
  heap_.blocks.splice(i, block, after);
  return i;
}

bool ExpandableRanges::map(BlockIndex block, std::int64_t size) {
  const Range& range = ranges_[static_cast<std::size_t>(heap_.blocks[block].range)];
  const std::int64_t bytes = round_up(size, range.page);
  if (!heap_.device.reserve({bytes})) return false;
  heap_.erase_unmapped(block);
  if (bytes < heap_.blocks[block].size) heap_.insert_unmapped(cut(block, bytes));
  heap_.blocks[block].mapped = true;
  heap_.merge(block, heap_.blocks[block].previous);
  heap_.merge(block, heap_.blocks[block].next);
  heap_.insert_free(block);
  heap_.stats.reserved.add(bytes);
  ++heap_.stats.device_allocs;
  return true;
}

BlockIndex ExpandableRanges::allocate(std::uint16_t stream, bool small, std::int64_t size) {
  BlockIndex i = find_place(stream, small, size);
  const auto wanted = [&](BlockIndex from, std::int64_t bytes) {
    return std::min(heap_.blocks[from].size, bytes);
  };
  if (!heap_.blocks[i].mapped && !map(i, wanted(i, size))) return kNoBlock;
  while (heap_.blocks[i].size < size) {
    const BlockIndex after = heap_.blocks[i].next;
    if (!map(after, wanted(after, size - heap_.blocks[i].size))) return kNoBlock;
    i = after;  // it took the block before it over
  }
  heap_.erase_free(i);
  return i;
}

void ExpandableRanges::unmap(BlockIndex block) {
  const Range& range = ranges_[static_cast<std::size_t>(heap_.blocks[block].range)];
  const std::int64_t from = heap_.blocks[block].address - range.begin;
  const std::int64_t to = from + heap_.blocks[block].size;
  const std::int64_t begin = round_up(from, range.page);
  const std::int64_t end = to / range.page * range.page;
  if (begin >= end) return;
  heap_.erase_free(block);
  if (end < to) heap_.insert_free(cut(block, end - from));
  if (begin > from) {
    const BlockIndex upper = cut(block, begin - from);
    heap_.insert_free(block);
    block = upper;
  }
  heap_.blocks[block].mapped = false;
  heap_.merge(block, heap_.blocks[block].previous);
  heap_.merge(block, heap_.blocks[block].next);
  heap_.insert_unmapped(block);
  heap_.device.release({end - begin});
  heap_.stats.reserved.add(begin - end);
  ++heap_.stats.device_frees;
  drop_if_empty(block);
}

void ExpandableRanges::drop_if_empty(BlockIndex block) {
  if (heap_.blocks[block].is_split()) return;
  heap_.erase_unmapped(block);
  heap_.blocks.destroy(block);
}

}  // namespace heddle::allocator
