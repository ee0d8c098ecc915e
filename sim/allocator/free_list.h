#pragma once
// An ordered set of blocks, by size and then address (or by address alone, all sizes given as
// zero). Sorted chunks of bounded length: a few cache lines move per change, whatever the number of
// blocks.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/allocator/block_table.h"

namespace heddle::allocator {

struct FreeKey {
  std::int64_t size = 0;
  std::int64_t address = 0;
  BlockIndex block = kNoBlock;

  friend bool operator<(const FreeKey& a, const FreeKey& b) {
    return a.size != b.size ? a.size < b.size : a.address < b.address;
  }
};

class FreeList {
 public:
  /// A place in the list; any change of the list makes it void.
  struct Position {
    std::size_t chunk = 0;
    std::size_t slot = 0;
    friend bool operator==(const Position&, const Position&) = default;
  };

  void insert(const FreeKey& key);
  /// `key` must be in the list.
  void erase(const FreeKey& key);
  void erase(Position at);
  bool empty() const { return chunks_.empty(); }

  Position begin() const { return {0, 0}; }
  Position end() const { return {chunks_.size(), 0}; }
  /// The first that is not before `key`.
  Position lower_bound(const FreeKey& key) const;
  Position next(Position at) const;
  Position previous(Position at) const;  // `at` must not be begin()
  BlockIndex operator[](Position at) const { return chunks_[at.chunk][at.slot].block; }
  /// All blocks in order.
  std::vector<BlockIndex> all() const;

 private:
  using Chunk = std::vector<FreeKey>;
  std::size_t chunk_for(const FreeKey& key) const;

  std::vector<Chunk> chunks_;  // none is empty
};

}  // namespace heddle::allocator
