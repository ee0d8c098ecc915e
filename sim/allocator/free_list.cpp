#include "sim/allocator/free_list.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"

namespace heddle::allocator {
namespace {

constexpr std::size_t kChunk = 32;

}  // namespace

/// The first chunk whose last key is not before `key`.
std::size_t FreeList::chunk_for(const FreeKey& key) const {
  const auto found = std::partition_point(chunks_.begin(), chunks_.end(),
                                          [&](const Chunk& chunk) { return chunk.back() < key; });
  return static_cast<std::size_t>(found - chunks_.begin());
}

FreeList::Position FreeList::lower_bound(const FreeKey& key) const {
  const std::size_t c = chunk_for(key);
  if (c == chunks_.size()) return end();
  const Chunk& chunk = chunks_[c];
  const auto slot = std::lower_bound(chunk.begin(), chunk.end(), key) - chunk.begin();
  return {c, static_cast<std::size_t>(slot)};
}

void FreeList::insert(const FreeKey& key) {
  if (chunks_.empty()) {  // chunk_for() asks every chunk for its last key
    chunks_.emplace_back().reserve(kChunk);
    chunks_.back().push_back(key);
    return;
  }
  const std::size_t c = std::min(chunk_for(key), chunks_.size() - 1);
  Chunk& chunk = chunks_[c];
  chunk.insert(std::lower_bound(chunk.begin(), chunk.end(), key), key);
  if (chunk.size() < kChunk) return;
  Chunk upper;
  upper.reserve(kChunk);
  upper.assign(chunk.begin() + kChunk / 2, chunk.end());
  chunk.resize(kChunk / 2);
  chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(c) + 1, std::move(upper));
}

void FreeList::erase(Position at) {
  Chunk& chunk = chunks_[at.chunk];
  chunk.erase(chunk.begin() + static_cast<std::ptrdiff_t>(at.slot));
  if (chunk.empty()) chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(at.chunk));
}

void FreeList::erase(const FreeKey& key) {
  const Position at = lower_bound(key);
  HEDDLE_CHECK(at != end() && (*this)[at] == key.block, "a block is not in its list");
  erase(at);
}

FreeList::Position FreeList::next(Position at) const {
  if (at.slot + 1 < chunks_[at.chunk].size()) return {at.chunk, at.slot + 1};
  return {at.chunk + 1, 0};
}

FreeList::Position FreeList::previous(Position at) const {
  if (at.slot > 0) return {at.chunk, at.slot - 1};
  return {at.chunk - 1, chunks_[at.chunk - 1].size() - 1};
}

std::vector<BlockIndex> FreeList::all() const {
  std::vector<BlockIndex> blocks;
  for (const Chunk& chunk : chunks_) {
    for (const FreeKey& key : chunk) blocks.push_back(key.block);
  }
  return blocks;
}

}  // namespace heddle::allocator
