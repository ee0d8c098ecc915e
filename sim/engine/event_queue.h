#pragma once
// What happens next. Events come out by (time, phase, sequence): two events of one tick in the
// order of the phases below, two of one phase in the order they were pushed. Nothing else decides,
// so a run is the same on every machine. Memory changes need no phase: they happen on the host's
// clock in program order (host_thread.h).

#include <cstdint>
#include <vector>

#include "sim/base/units.h"

namespace heddle::engine {

enum class EventPhase : std::uint8_t {
  kOpFinish,        // a kernel or record ends on its stream; subject: stream
  kTransferFinish,  // a collective ends; subject: communicator
  kTransferStart,   // a collective's latency is over, it enters the network; subject: communicator
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

/// A 4-ary heap: half the levels of a binary one, and a node's children share a cache line or two.
class EventQueue {
 public:
  void push(SimTime time, EventPhase phase, std::uint32_t subject = 0, std::uint32_t version = 0);
  bool empty() const { return heap_.empty(); }
  /// Nothing but background traffic is left: the run is over.
  bool only_background() const { return heap_.size() == background_; }
  /// When the first event is due. The queue must not be empty.
  SimTime next_time() const { return heap_.front().time; }
  /// The first event, removed. The queue must not be empty.
  Event pop();

 private:
  std::vector<Event> heap_;
  std::uint64_t next_sequence_ = 0;
  std::size_t background_ = 0;  // events of background traffic in the heap
};

}  // namespace heddle::engine
