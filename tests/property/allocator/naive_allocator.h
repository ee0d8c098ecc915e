#pragma once
// The allocator's rules once more, slowly and in another shape: one map of all pieces by address,
// no lists and no links. Every search looks at every piece, every statistic is summed anew.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "sim/allocator/allocator_config.h"
#include "sim/allocator/allocator_stats.h"
#include "sim/allocator/caching_allocator.h"

namespace heddle::test {

class NaiveAllocator {
 public:
  static constexpr std::int64_t kFailed = -1;

  NaiveAllocator(const allocator::AllocatorConfig& config, std::int64_t capacity)
      : config_(config), capacity_(capacity) {}

  /// The address, or kFailed.
  std::int64_t allocate(std::int64_t bytes, int stream, std::int64_t now);
  void free(std::int64_t address, const std::vector<allocator::StreamUse>& uses);
  void empty_cache();

  /// Current values and counters; no peaks.
  allocator::AllocatorStats stats() const;

 private:
  enum class Is { kNothing, kFree, kTaken, kPending };  // kNothing: addresses without memory
  struct Piece {
    std::int64_t size = 0;
    Is is = Is::kFree;
    int segment = 0;
    int uses = 0;
    std::int64_t since = 0;
  };
  struct Segment {
    int stream = 0;
    bool small = false;
    bool range = false;
    std::int64_t begin = 0;
  };
  using Pieces = std::map<std::int64_t, Piece>;
  using Where = Pieces::iterator;

  const Segment& segment_of(Where p) const { return segments_[std::size_t(p->second.segment)]; }
  bool alone(Where p);
  bool belongs(Where p, int stream, bool small) const;
  std::int64_t reserved() const;
  std::int64_t page(Where p) const { return segment_of(p).small ? 2 << 20 : 20 << 20; }
  std::int64_t room_to_grow(Where p);
  std::int64_t usable_from(Where p);
  Where add_piece(std::int64_t size, int stream, bool small, bool range, Is is);
  /// Joins all free neighbours, and all neighbours without memory.
  void join(int segment);
  void set_since(Where p);

  Where find(std::int64_t size, int stream, bool small);
  Where obtain(std::int64_t size, int stream, bool small);
  Where obtain_pages(std::int64_t size, int stream, bool small);
  bool map_pages(Where nothing, std::int64_t size);
  bool give_back_oversize(std::int64_t size, int stream, bool small);
  void give_back_pages(std::int64_t address);
  void give_back(Where whole);
  void collect();
  void finish_event(std::int64_t address);

  allocator::AllocatorConfig config_;
  std::int64_t capacity_;
  Pieces pieces_;
  std::vector<Segment> segments_;
  std::map<int, std::deque<std::pair<std::int64_t, std::int64_t>>> events_;  // (done, address)
  std::int64_t next_address_ = 0;
  std::int64_t searches_[2] = {0, 0};
  std::int64_t device_allocs_ = 0;
  std::int64_t device_frees_ = 0;
  std::int64_t retries_ = 0;
  std::int64_t failures_ = 0;
};

}  // namespace heddle::test
