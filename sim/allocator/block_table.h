#pragma once
// All blocks, flat: a block is an index, its neighbours in the segment are indices. Indices of
// blocks that are gone are used again.

#include <cstdint>
#include <vector>

namespace heddle::allocator {

using BlockIndex = std::uint32_t;
inline constexpr BlockIndex kNoBlock = 0xffffffffU;
inline constexpr std::int32_t kNoRange = -1;

enum class BlockState : std::uint8_t {
  kFree,
  kAllocated,
  kPending,  // freed, but other streams may still use it
};

struct Block {
  std::int64_t address = 0;
  std::int64_t size = 0;           // bytes
  std::int64_t searches_then = 0;  // of its pool, when it became free; its age is what came since
  BlockIndex previous = kNoBlock;
  BlockIndex next = kNoBlock;
  std::uint32_t owner = 0;        // the caller's name for it
  std::uint32_t events = 0;       // outstanding, while pending
  std::int32_t range = kNoRange;  // expandable range it lies in; none: a segment of its own
  std::uint16_t stream = 0;
  BlockState state = BlockState::kFree;
  bool small = false;
  bool mapped = true;  // has memory behind its addresses

  bool is_split() const { return previous != kNoBlock || next != kNoBlock; }
  bool in_range() const { return range != kNoRange; }
};

class BlockTable {
 public:
  Block& operator[](BlockIndex i) { return blocks_[i]; }
  const Block& operator[](BlockIndex i) const { return blocks_[i]; }

  /// References to blocks do not survive it.
  BlockIndex create(const Block& block) {
    ++alive_;
    if (vacant_.empty()) {
      blocks_.push_back(block);
      return static_cast<BlockIndex>(blocks_.size() - 1);
    }
    const BlockIndex i = vacant_.back();
    vacant_.pop_back();
    blocks_[i] = block;
    return i;
  }
  void destroy(BlockIndex i) {
    --alive_;
    blocks_[i].size = 0;
    vacant_.push_back(i);
  }
  /// Puts `i` between two neighbours, either of which may be none.
  void splice(BlockIndex i, BlockIndex previous, BlockIndex next) {
    blocks_[i].previous = previous;
    blocks_[i].next = next;
    if (previous != kNoBlock) blocks_[previous].next = i;
    if (next != kNoBlock) blocks_[next].previous = i;
  }
  /// Takes a neighbour's bytes over and destroys it.
  void absorb(BlockIndex into, BlockIndex neighbour) {
    Block& block = blocks_[into];
    const Block& gone = blocks_[neighbour];
    block.size += gone.size;
    if (block.previous == neighbour) {
      block.address = gone.address;
      splice(into, gone.previous, block.next);
    } else {
      splice(into, block.previous, gone.next);
    }
    destroy(neighbour);
  }
  std::size_t alive() const { return alive_; }
  /// Of all ever made; those of size zero are gone.
  std::size_t slots() const { return blocks_.size(); }

 private:
  std::vector<Block> blocks_;
  std::vector<BlockIndex> vacant_;
  std::size_t alive_ = 0;
};

}  // namespace heddle::allocator
