#pragma once
// What happens next. Events come out by (time, phase, sequence): two events of one tick in the
// order of the phases, two of one phase in the order they were pushed. Nothing else decides, so a
// run is the same on every machine. Memory changes need no phase: they happen on the host's clock
// in program order (host_thread.h).
//
// Few events are a heap. Many are a calendar: days of 2^k picoseconds, a year of them in a ring;
// the heap holds today, the days to come are lists in no order, what lies beyond the year is one
// list. A day holds a few events, so push and pop cost the same however many are pending. When
// today is crowded, or what lies beyond the year is next, days are measured anew so that half of
// all events fall within an eighth of a year; each such look at all events is paid for by as many
// pushes or pops.

#include <cstdint>
#include <vector>

#include "sim/engine/event_heap.h"

namespace heddle::engine {

class EventQueue {
 public:
  void push(SimTime time, EventPhase phase, std::uint32_t subject = 0, std::uint32_t version = 0);
  bool empty() const { return size_ == 0; }
  /// Nothing but background traffic is left: the run is over.
  bool only_background() const { return size_ == background_; }
  /// When the first event is due. The queue must not be empty.
  SimTime next_time() const { return today_.first().time; }
  /// The first event, removed. The queue must not be empty.
  Event pop();

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffU;
  /// An event on a list.
  struct Entry {
    Event event;
    std::uint32_t next = kEnd;
  };

  std::int64_t day_of(SimTime time) const { return time.ps >> day_bits_; }
  std::size_t slot_of(std::int64_t day) const {
    return static_cast<std::size_t>(day) & (days_.size() - 1);
  }
  bool is_calendar() const { return !days_.empty(); }
  void put(const Event& event);
  void list(std::uint32_t& head, const Event& event);
  template <typename Take>
  void unlist(std::uint32_t& head, Take take);
  void next_day();
  std::int64_t next_busy_day() const;
  void measure_days();
  std::vector<Event> take_all();

  EventHeap today_;  // and what is overdue; all if there is no calendar
  int day_bits_ = 0;
  std::int64_t day_ = 0;             // today's number
  std::vector<std::uint32_t> days_;  // heads of lists, in a ring; empty: no calendar
  std::vector<std::uint64_t> busy_;  // days with a list, as bits
  std::uint32_t beyond_ = kEnd;      // head of the list beyond the year
  std::int64_t first_beyond_ = 0;    // the earliest day on it
  std::vector<Entry> entries_;
  std::uint32_t free_ = kEnd;
  std::size_t size_ = 0;
  std::size_t crowd_ = 0;   // events of today that call for shorter days
  std::size_t unpaid_ = 0;  // operations until days may be measured again
  std::uint64_t next_sequence_ = 0;
  std::size_t background_ = 0;  // events of background traffic
};

}  // namespace heddle::engine
