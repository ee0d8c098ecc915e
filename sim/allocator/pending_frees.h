#pragma once
// Blocks that were freed while other streams may still use them (record_stream). Each such stream
// is a queue of events in the order they were recorded; one that is not complete holds up those
// behind.

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/allocator/block_table.h"
#include "sim/base/units.h"

namespace heddle::allocator {

class PendingFrees {
 public:
  /// An event on `stream`, complete at `done`, that `block` waits for.
  void add(std::uint16_t stream, SimTime done, BlockIndex block) {
    if (queues_.size() <= stream) queues_.resize(stream + std::size_t{1});
    queues_[stream].push_back({done, block});
    ++count_;
  }
  /// Takes the events that are complete at `now`; `complete(block)` for each.
  template <typename Complete>
  void process(SimTime now, const Complete& complete) {
    if (count_ == 0) return;
    for (std::deque<Event>& queue : queues_) {
      while (!queue.empty() && queue.front().done <= now) {
        const BlockIndex block = queue.front().block;
        queue.pop_front();
        --count_;
        complete(block);
      }
    }
  }
  /// As process(), waiting for all.
  template <typename Complete>
  void synchronize(const Complete& complete) {
    for (std::deque<Event>& queue : queues_) {
      for (const Event& event : queue) complete(event.block);
      queue.clear();
    }
    count_ = 0;
  }
  std::size_t count() const { return count_; }

 private:
  struct Event {
    SimTime done;
    BlockIndex block = kNoBlock;
  };
  std::vector<std::deque<Event>> queues_;  // by stream
  std::size_t count_ = 0;
};

}  // namespace heddle::allocator
