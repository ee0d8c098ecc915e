#include "sim/allocator/snapshot.h"

#include <algorithm>

namespace heddle::allocator {
namespace {

/// Is `i` the first block of a stretch with memory behind it?
bool begins_segment(const BlockTable& blocks, BlockIndex i) {
  const Block& block = blocks[i];
  if (block.size == 0 || !block.mapped) return false;
  return block.previous == kNoBlock || !blocks[block.previous].mapped;
}

SegmentView segment_from(const BlockTable& blocks, BlockIndex first) {
  const Block& head = blocks[first];
  SegmentView segment{head.address, {}, head.stream, head.small, head.in_range(), {}};
  for (BlockIndex i = first; i != kNoBlock && blocks[i].mapped; i = blocks[i].next) {
    const Block& block = blocks[i];
    segment.size.value += block.size;
    segment.blocks.push_back({block.address, {block.size}, block.state, block.owner});
  }
  return segment;
}

}  // namespace

std::vector<SegmentView> snapshot_of(const BlockTable& blocks) {
  std::vector<SegmentView> segments;
  for (std::size_t i = 0; i < blocks.slots(); ++i) {
    const auto index = static_cast<BlockIndex>(i);
    if (begins_segment(blocks, index)) segments.push_back(segment_from(blocks, index));
  }
  std::sort(segments.begin(), segments.end(),
            [](const SegmentView& a, const SegmentView& b) { return a.address < b.address; });
  return segments;
}

}  // namespace heddle::allocator
