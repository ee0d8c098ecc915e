#pragma once
// One simulated rank (or class of equal ranks) while it runs: its host thread, its streams and the
// stream events between them.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/engine/memory_timeline.h"
#include "sim/engine/program_index.h"
#include "sim/engine/rank_folding.h"
#include "sim/engine/run_result.h"
#include "sim/engine/step_ledger.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

struct StreamState {
  const std::vector<StreamOp>* ops = nullptr;
  std::vector<SimTime> issued_at;  // by position in `ops`, set when the host issues it
  std::vector<SimTime> done_at;    // by position
  std::uint32_t issued = 0;        // how many the host has issued
  std::uint32_t next = 0;          // the first that is not done
  std::uint32_t rest_fits = 0;     // the first after which no more launches wait than may
  std::uint32_t version = 0;       // of the planned end of a kernel or record
  bool busy = false;               // `next` runs, or waits for something besides time
  CommCallId after = kNoCall;      // what held the stream up to `free` was, in the end, this
  SimTime free;                    // when everything before `next` is done
  SimTime started;                 // of the running op
  SimTime paced_from;              // the running kernel: until here its progress is booked,
  Duration left;                   // and what is left then, in time alone

  const StreamOp& head() const { return (*ops)[next]; }
  /// How many of the ops from the front must be done before the next one is issued, so that no more
  /// than `most` launches wait with it; 0: none has to. `most` is the same in all calls.
  std::uint32_t done_before_issue(std::int64_t most);
};

/// A CUDA-style event. At most one wait per stream can be at its stream's head, and one of the
/// host.
struct StreamEvent {
  static constexpr SimTime kPending{-1};
  SimTime completed = kPending;
  CommCallId after = kNoCall;
  std::uint8_t waiters = 0;  // bit s: stream s; bit kStreamCount: the host

  bool pending() const { return completed == kPending; }
};

struct HostState {
  SimTime time;
  std::uint32_t next = 0;    // op of the program
  bool waiting = false;      // for an event, or
  std::uint32_t behind = 0;  // for so many ops of
  std::uint8_t stream = 0;   // this stream to be done; 0: for none
};

/// What the host had issued when it passed a kStepEnd mark.
struct StepEnd {
  SimTime host;
  std::array<std::uint32_t, schedule::kStreamCount> issued{};
};

struct RankState {
  RankState(const schedule::Schedule& schedule, const RankClass& rank_class,
            const ProgramIndex& index, bool record);

  RankClass identity;
  const schedule::Program* program;
  HostState host;
  std::array<StreamState, schedule::kStreamCount> streams;
  std::vector<std::uint32_t> beside;  // CostTable entries running on this rank's GPU
  std::vector<StreamEvent> events;    // by EventId
  MemoryTimeline memory;
  std::vector<SimTime> memory_times;  // of its Alloc and Free ops, in program order
  StepLedger ledger;
  std::vector<SimTime> marks;
  std::optional<SimTime> first_begin;
  std::vector<StepEnd> step_ends;
  std::vector<Interval> intervals;

  bool finished() const;
  /// Closes the books; to be called once, when finished.
  RankResult result();
};

}  // namespace heddle::engine
