#include "sim/engine/event_queue.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "sim/base/check.h"

namespace heddle::engine {
namespace {

constexpr std::size_t kFew = 48;  // a heap is faster

std::size_t is_background(EventPhase phase) {
  return phase == EventPhase::kBackgroundFinish || phase == EventPhase::kBackgroundStart ? 1 : 0;
}

}  // namespace

void EventQueue::list(std::uint32_t& head, const Event& event) {
  if (free_ == kEnd) {
    entries_.push_back({event, head});
    head = static_cast<std::uint32_t>(entries_.size() - 1);
    return;
  }
  const std::uint32_t entry = free_;
  free_ = entries_[entry].next;
  entries_[entry] = {event, head};
  head = entry;
}

template <typename Take>
void EventQueue::unlist(std::uint32_t& head, Take take) {
  std::uint32_t entry = std::exchange(head, kEnd);
  while (entry != kEnd) {
    const std::uint32_t next = entries_[entry].next;
    take(entries_[entry].event);
    entries_[entry].next = free_;
    free_ = entry;
    entry = next;
  }
}

void EventQueue::put(const Event& event) {
  const std::int64_t day = day_of(event.time);
  if (!is_calendar() || day <= day_) {
    today_.push(event);
  } else if (day - day_ < static_cast<std::int64_t>(days_.size())) {
    const std::size_t slot = slot_of(day);
    list(days_[slot], event);
    busy_[slot / 64] |= std::uint64_t{1} << slot % 64;
  } else {
    first_beyond_ = beyond_ == kEnd ? day : std::min(first_beyond_, day);
    list(beyond_, event);
  }
}

void EventQueue::push(SimTime time, EventPhase phase, std::uint32_t subject,
                      std::uint32_t version) {
  put({time, (static_cast<std::uint64_t>(phase) << 56) | next_sequence_++, subject, version});
  background_ += is_background(phase);
  ++size_;
  if (unpaid_ > 0) {
    --unpaid_;
  } else if (today_.size() > std::max(crowd_, kFew)) {
    measure_days();
  } else if (today_.size() == size_ && is_calendar()) {
    days_.clear();  // few are left
    crowd_ = 0;
  }
  if (today_.empty()) next_day();
}

Event EventQueue::pop() {
  HEDDLE_CHECK(size_ > 0, "pop from an empty event queue");
  const Event first = today_.pop();
  background_ -= is_background(first.phase());
  --size_;
  if (today_.empty() && size_ > 0) next_day();
  return first;
}

/// The first day after today with a list; today if there is none within the year.
std::int64_t EventQueue::next_busy_day() const {
  const std::size_t mask = days_.size() - 1;
  const std::size_t start = slot_of(day_ + 1);
  for (std::size_t passed = 0; passed < days_.size();) {
    const std::size_t slot = (start + passed) & mask;
    const std::uint64_t bits = busy_[slot / 64] >> slot % 64;
    if (bits != 0) {
      const auto more = static_cast<std::size_t>(std::countr_zero(bits));
      if (passed + more < days_.size()) return day_ + 1 + static_cast<std::int64_t>(passed + more);
    }
    passed += 64 - slot % 64;
  }
  return day_;
}

void EventQueue::next_day() {
  const std::int64_t busy = next_busy_day();
  if (beyond_ != kEnd && (busy == day_ || first_beyond_ <= busy)) {
    measure_days();
    return;
  }
  day_ = busy;
  const std::size_t slot = slot_of(day_);
  busy_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
  unlist(days_[slot], [this](const Event& event) { today_.push(event); });
}

std::vector<Event> EventQueue::take_all() {
  std::vector<Event> all = today_.take();
  all.reserve(size_);
  const auto take = [&all](const Event& event) { all.push_back(event); };
  for (std::uint32_t& head : days_) unlist(head, take);
  unlist(beyond_, take);
  return all;
}

/// As many days in a year as events, so long that half of all events fall within an eighth of it.
void EventQueue::measure_days() {
  std::vector<Event> all = take_all();
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  const SimTime first = std::min_element(all.begin(), middle + 1)->time;
  const std::size_t year = std::max<std::size_t>(64, std::bit_ceil(all.size()));
  const auto span = static_cast<std::uint64_t>((middle->time - first).ps);
  day_bits_ = static_cast<int>(std::bit_width(8 * span / year));
  day_ = day_of(first);
  days_.assign(year, kEnd);
  busy_.assign(year / 64, 0);
  for (const Event& event : all) put(event);
  crowd_ = 4 * today_.size();
  unpaid_ = size_;
}

}  // namespace heddle::engine
