#include "sim/allocator/heap.h"

#include <utility>

namespace heddle::allocator {

void Heap::know_stream(std::uint16_t stream) {
  for (BlockPool& p : pools) {
    if (p.free.size() > stream) continue;
    p.free.resize(stream + std::size_t{1});
    p.unmapped.resize(stream + std::size_t{1});
  }
}

Bytes Heap::allowed() const {
  if (config.memory_fraction <= 0 || device.capacity() == kUnlimited) return kUnlimited;
  return {static_cast<std::int64_t>(config.memory_fraction *
                                    static_cast<double>(device.capacity().value))};
}

void Heap::insert_free(BlockIndex i) {
  Block& block = blocks[i];
  BlockPool& p = pool(block.small);
  block.searches_then = p.searches;
  p.free[block.stream].insert({block.size, block.address, i});
}

void Heap::erase_free(BlockIndex i) {
  const Block& block = blocks[i];
  pool(block.small).free[block.stream].erase({block.size, block.address, i});
}

void Heap::insert_unmapped(BlockIndex i) {
  const Block& block = blocks[i];
  pool(block.small).unmapped[block.stream].insert({0, block.address, i});
}

void Heap::erase_unmapped(BlockIndex i) {
  const Block& block = blocks[i];
  pool(block.small).unmapped[block.stream].erase({0, block.address, i});
}

std::int64_t Heap::merge(BlockIndex i, BlockIndex neighbour) {
  if (neighbour == kNoBlock) return 0;
  const Block& other = blocks[neighbour];
  if (other.state != BlockState::kFree || other.mapped != blocks[i].mapped) return 0;
  const std::int64_t size = other.size;
  if (other.mapped) {
    erase_free(neighbour);
  } else {
    erase_unmapped(neighbour);
  }
  blocks.absorb(i, neighbour);
  return size;
}

std::int64_t Heap::take_addresses(std::int64_t bytes) {
  return std::exchange(next_address, next_address + bytes);
}

void Heap::release_segment(BlockIndex i) {
  const std::int64_t size = blocks[i].size;
  device.release({size});
  ++stats.device_frees;
  --stats.segments;
  stats.reserved.add(-size);
  erase_free(i);
  blocks.destroy(i);
}

}  // namespace heddle::allocator
