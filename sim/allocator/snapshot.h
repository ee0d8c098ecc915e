#pragma once
// The segments and blocks of an allocator at one moment, as torch.cuda.memory_snapshot() lists
// them.

#include <cstdint>
#include <vector>

#include "sim/allocator/block_table.h"
#include "sim/base/units.h"

namespace heddle::allocator {

struct BlockView {
  std::int64_t address = 0;
  Bytes size;
  BlockState state = BlockState::kFree;
  std::uint32_t owner = 0;  // of a block that is not free
};

/// A segment of cudaMalloc, or a stretch of mapped pages of an expandable range.
struct SegmentView {
  std::int64_t address = 0;
  Bytes size;
  std::uint16_t stream = 0;
  bool small = false;
  bool expandable = false;
  std::vector<BlockView> blocks;  // in the order of addresses, without gaps
};

/// By address.
std::vector<SegmentView> snapshot_of(const BlockTable& blocks);

}  // namespace heddle::allocator
