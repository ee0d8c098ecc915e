#include "sim/engine/memory_timeline.h"

#include <utility>

#include "sim/base/check.h"

namespace heddle::engine {

Bytes MemorySample::total() const {
  Bytes sum;
  for (const Bytes b : by_category) sum += b;
  return sum;
}

void MemoryTimeline::free(SimTime time, std::uint32_t op, const schedule::Buffer& buffer) {
  change(time, op, buffer.category, Bytes{-buffer.bytes.value});
  HEDDLE_CHECK(now_.by_category[static_cast<std::size_t>(buffer.category)].value >= 0,
               "more memory of a category is freed than was allocated");
}

void MemoryTimeline::take_peak() {
  peak_total_ = total_;
  peak_ = now_;
}

void MemoryTimeline::close_step() {
  if (peak_total_ > highest_.total()) highest_ = peak_;
  if (in_step_) step_peaks_.push_back(peak_);
}

void MemoryTimeline::begin_step(SimTime time, std::uint32_t op) {
  close_step();
  in_step_ = true;
  now_.time = time;
  now_.op = op;
  take_peak();
}

void MemoryTimeline::note_resident(SimTime time, std::uint32_t op) {
  resident_.push_back(now_);
  resident_.back().time = time;
  resident_.back().op = op;
}

void MemoryTimeline::report(RankResult& out) {
  close_step();
  out.peak = highest_;
  out.step_peaks = std::move(step_peaks_);
  out.after_optimizer = std::move(resident_);
  out.memory = std::move(samples_);
}

}  // namespace heddle::engine
