#pragma once
// Allocated memory of one rank by category, as its host thread changes it. Peaks and the values at
// marks are always kept; the samples in between only when asked for.

#include <cstdint>
#include <vector>

#include "sim/engine/run_result.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

class MemoryTimeline {
 public:
  explicit MemoryTimeline(bool keep_samples) : keep_samples_(keep_samples) {}

  void allocate(SimTime time, std::uint32_t op, const schedule::Buffer& buffer) {
    change(time, op, buffer.category, buffer.bytes);
    if (total_ > peak_total_) take_peak();
  }
  void free(SimTime time, std::uint32_t op, const schedule::Buffer& buffer);
  /// A step begins: its peak is at least what is allocated now.
  void begin_step(SimTime time, std::uint32_t op);
  /// Remembers what is allocated at a mark.
  void note_resident(SimTime time, std::uint32_t op);
  /// Moves what was gathered into the result.
  void report(RankResult& out);

 private:
  void change(SimTime time, std::uint32_t op, schedule::MemoryCategory category, Bytes by) {
    now_.time = time;
    now_.op = op;
    now_.by_category[static_cast<std::size_t>(category)] += by;
    total_ += by;
    if (keep_samples_) samples_.push_back(now_);
  }
  void take_peak();
  void close_step();

  bool keep_samples_;
  MemorySample now_;
  Bytes total_;
  Bytes peak_total_;  // of the part of the run since the last begin_step()
  MemorySample peak_;
  MemorySample highest_;  // of the whole run
  bool in_step_ = false;
  std::vector<MemorySample> step_peaks_;
  std::vector<MemorySample> resident_;
  std::vector<MemorySample> samples_;
};

}  // namespace heddle::engine
