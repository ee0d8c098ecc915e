#pragma once
// The blocks of one device and the pools of those that are free. CachingAllocator's insides: the
// rules of when to do what are in the files that take a Heap.

#include <array>
#include <cstdint>
#include <vector>

#include "sim/allocator/allocator_config.h"
#include "sim/allocator/allocator_stats.h"
#include "sim/allocator/block_table.h"
#include "sim/allocator/device_memory.h"
#include "sim/allocator/free_list.h"

namespace heddle::allocator {

/// Small or large blocks. PyTorch keeps one set ordered by stream first; here each stream has its
/// own list, walked in the order of streams.
struct BlockPool {
  std::vector<FreeList> free;      // by stream
  std::vector<FreeList> unmapped;  // by stream; address space of expandable ranges
  std::int64_t searches = 0;       // ages free blocks, see garbage_collection.h
};

struct Heap {
  Heap(const AllocatorConfig& knobs, DeviceMemory& memory) : config(knobs), device(memory) {}

  AllocatorConfig config;
  DeviceMemory& device;
  BlockTable blocks;
  std::array<BlockPool, 2> pools;  // large, small
  AllocatorStats stats;
  std::int64_t next_address = 0;  // addresses are never used twice

  BlockPool& pool(bool small) { return pools[small ? 1 : 0]; }
  void know_stream(std::uint16_t stream);
  bool collects_garbage() const {
    return config.memory_fraction > 0 && config.garbage_collection_threshold > 0;
  }
  /// What the process may reserve at all, by its memory fraction.
  Bytes allowed() const;

  void insert_free(BlockIndex i);
  void erase_free(BlockIndex i);
  void insert_unmapped(BlockIndex i);
  void erase_unmapped(BlockIndex i);
  /// Takes a free neighbour of the same kind (memory behind it or not) over; returns its size, or
  /// 0.
  std::int64_t merge(BlockIndex i, BlockIndex neighbour);
  /// A new address range of `bytes`.
  std::int64_t take_addresses(std::int64_t bytes);
  /// Gives a whole free segment back to the device.
  void release_segment(BlockIndex i);
};

}  // namespace heddle::allocator
