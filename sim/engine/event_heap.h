#pragma once
// The events of a small stretch of time, by (time, order): a 4-ary heap, half the levels of a
// binary one, and a node's children share a cache line or two.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/units.h"

namespace heddle::engine {

enum class EventPhase : std::uint8_t {
  kOpFinish,          // a kernel or record ends on its stream; subject: stream
  kTransferFinish,    // a collective ends; subject: class of groups
  kTransferStart,     // a collective's latency is over, it enters the network; subject: those
  kBackgroundFinish,  // the same of background traffic, which never keeps a run going;
  kBackgroundStart,   // subject: its number
  kReshare,           // rates are solved once, when the tick's set of transfers is final
};

struct Event {
  SimTime time;
  std::uint64_t order = 0;  // phase in the top 8 bits, sequence number below
  std::uint32_t subject = 0;
  std::uint32_t version = 0;  // stale if the subject has moved on since

  EventPhase phase() const { return static_cast<EventPhase>(order >> 56); }
  friend bool operator<(const Event& a, const Event& b) {
    return a.time != b.time ? a.time < b.time : a.order < b.order;
  }
};

/// Defined here: its functions are the inside of every simulation's loop.
class EventHeap {
 public:
  void push(const Event& event) {
    std::size_t at = events_.size();
    events_.push_back(event);
    while (at > 0) {
      const std::size_t parent = (at - 1) / kArity;
      if (!(event < events_[parent])) break;
      events_[at] = events_[parent];
      at = parent;
    }
    events_[at] = event;
  }

  const Event& first() const { return events_.front(); }
  /// The heap must not be empty.
  Event pop() {
    const Event top = events_.front();
    const Event last = events_.back();
    events_.pop_back();
    if (!events_.empty()) sink(last);
    return top;
  }

  bool empty() const { return events_.empty(); }
  std::size_t size() const { return events_.size(); }
  /// In any order, removed.
  std::vector<Event> take() { return std::exchange(events_, {}); }

 private:
  static constexpr std::size_t kArity = 4;

  /// Puts `last` where it belongs, from the top down.
  void sink(const Event& last) {
    const std::size_t size = events_.size();
    std::size_t at = 0;
    for (std::size_t child = 1; child < size; child = kArity * at + 1) {
      const std::size_t end = std::min(child + kArity, size);
      for (std::size_t other = child + 1; other < end; ++other) {
        if (events_[other] < events_[child]) child = other;
      }
      if (!(events_[child] < last)) break;
      events_[at] = events_[child];
      at = child;
    }
    events_[at] = last;
  }

  std::vector<Event> events_;
};

}  // namespace heddle::engine
