#include "sim/engine/event_queue.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/check.h"

namespace heddle::engine {
namespace {

constexpr std::size_t kArity = 4;

std::size_t is_background(EventPhase phase) {
  return phase == EventPhase::kBackgroundFinish || phase == EventPhase::kBackgroundStart ? 1 : 0;
}

}  // namespace

void EventQueue::push(SimTime time, EventPhase phase, std::uint32_t subject,
                      std::uint32_t version) {
  const Event event{time, (static_cast<std::uint64_t>(phase) << 56) | next_sequence_++, subject,
                    version};
  std::size_t at = heap_.size();
  heap_.push_back(event);
  background_ += is_background(phase);
  while (at > 0) {
    const std::size_t parent = (at - 1) / kArity;
    if (!(event < heap_[parent])) break;
    heap_[at] = heap_[parent];
    at = parent;
  }
  heap_[at] = event;
}

Event EventQueue::pop() {
  HEDDLE_CHECK(!heap_.empty(), "pop from an empty event queue");
  const Event top = heap_.front();
  background_ -= is_background(top.phase());
  const Event last = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  std::size_t at = 0;
  for (std::size_t child = 1; child < size; child = kArity * at + 1) {
    const std::size_t end = std::min(child + kArity, size);
    for (std::size_t other = child + 1; other < end; ++other) {
      if (heap_[other] < heap_[child]) child = other;
    }
    if (!(heap_[child] < last)) break;
    heap_[at] = heap_[child];
    at = child;
  }
  if (size > 0) heap_[at] = last;
  return top;
}

}  // namespace heddle::engine
