#pragma once
// What any interpreter of a schedule yields: the same plain data from the simulator and from a
// measurement. Metrics are derived from it, never stored twice.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/allocator_result.h"
#include "sim/fabric/fabric.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

/// One op's life on its stream. `op` indexes the rank's program.
struct Interval {
  std::uint32_t op = 0;
  schedule::StreamKind stream = schedule::StreamKind::kCompute;
  SimTime start;
  SimTime end;
};

/// Why the compute stream stood still before an op. The parts of a step add up to its length. Steps
/// tile the run: each ends when everything issued before its kStepEnd mark is done (or at the mark,
/// if later) and begins where the previous one ended, the first at its kStepBegin mark.
/// Exposed communication that was for one kind of call.
struct ExposedPart {
  std::uint32_t collective = 0;  // CollectiveId
  Duration time;
  Duration late;    // part of it: this rank was there, until the last one was
  Duration queued;  // part of it: then until the operations before it on the communicator were done

  friend bool operator==(const ExposedPart&, const ExposedPart&) = default;
};

struct StepAccounting {
  Duration compute;       // compute stream busy
  Duration slowed;        // part of compute: what collectives beside its kernels cost
  Duration exposed_comm;  // idle, waiting for a collective after the host had issued the work
  Duration host;          // idle because the host had not issued the work yet
  Duration other;         // idle for anything else
  Duration step;          // begin of the step to its end
  SimTime begin;
  std::vector<ExposedPart> exposed;  // adds up to exposed_comm; in order of appearance
};

/// Memory by category right after one Alloc or Free.
struct MemorySample {
  SimTime time;
  std::uint32_t op = 0;
  std::array<Bytes, schedule::kCategoryCount> by_category{};
  Bytes total() const;
};

struct RankResult {
  int program = 0;
  int first_rank = 0;                         // the first of the ranks it stands for
  int multiplicity = 1;                       // how many those are
  std::int64_t speed_ppb = kPpb;              // of their GPUs; below: slow
  std::vector<Interval> intervals;            // by start time per stream
  std::vector<MemorySample> memory;           // every change, in host order; empty unless recorded
  MemorySample peak;                          // first moment of the most memory in the whole run
  std::vector<MemorySample> step_peaks;       // the same by step, what its begin holds included
  std::vector<MemorySample> after_optimizer;  // at each kAfterOptimizer mark
  std::vector<SimTime> marks;  // host time of each schedule mark, by its index in the program
  std::vector<StepAccounting> steps;
  std::optional<AllocatorResult> allocator;  // if replayed; derived, not in the fingerprint
};

/// Load of one link between two changes: true payload bytes per second.
struct LinkSample {
  SimTime time;
  fabric::LinkId link;
  Bandwidth load;
};

/// One kind of call over the whole run, in all groups of its communicator: from the start (the last
/// rank there, the group free) to the end.
struct CollectiveTimes {
  std::int64_t calls = 0;
  Duration busy;  // all calls together
};

/// What a flow of background traffic did until the run ended.
struct BackgroundResult {
  Bytes moved;                 // payload, a transfer cut off by the end of the run included
  std::int64_t transfers = 0;  // finished
  Duration behind;             // how much later than due the last one began: the links are too slow
};

struct RunResult {
  std::vector<RankResult> ranks;  // one per class
  std::vector<LinkSample> links;
  std::vector<Bytes> link_bytes;  // by link id, the schedule's own since the last kStepBegin
  std::vector<CollectiveTimes> collectives;  // by CollectiveId
  std::vector<BackgroundResult> background;  // as the platform lists it
  SimTime end;               // until when links and background were simulated: no op ends later
  std::uint64_t events = 0;  // processed
  std::string fingerprint;   // hash of the event stream
};

}  // namespace heddle::engine
