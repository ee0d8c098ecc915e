#include "sim/collective/step_level.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/check.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

constexpr int kWarmLoops = 32;

/// What one rank's CTA does in a loop.
struct Program {
  int operations = 0;
  bool pipelined = false;  // every rank works on the same chunk, one after the other
};

Program program_of(CollectiveKind kind, int ranks) {
  switch (kind) {
    case CollectiveKind::kAllReduce:
      return {2 * ranks - 1, false};
    case CollectiveKind::kAllGather:
    case CollectiveKind::kReduceScatter:
      return {ranks, false};
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduce:
      return {1, true};
    case CollectiveKind::kAllToAll:
    case CollectiveKind::kSendRecv:
      break;
  }
  HEDDLE_CHECK(false, "not a ring's kind");
}

class Walk {
 public:
  Walk(const StepRing& ring, CollectiveKind kind)
      : ring_(ring),
        ranks_(ring.copy.size()),
        channels_(static_cast<std::size_t>(ring.channels)),
        program_(program_of(kind, static_cast<int>(ring.copy.size()))) {
    HEDDLE_CHECK(ranks_ >= 2 && ring.slots >= 1 && ring.channels >= 1, "an empty ring");
    HEDDLE_CHECK(ring.wire.empty() || ring.wire.size() == ranks_, "a wire for every hop");
  }

  Duration time(int loops) {
    const int total = loops * program_.operations;
    rows_.assign(static_cast<std::size_t>(total), std::vector<Duration>(ranks_ * channels_));
    wire_free_.assign(ranks_, {});
    for (int op = 0; op < total; ++op) {
      for (std::size_t rank = 0; rank < ranks_; ++rank) {
        for (std::size_t channel = 0; channel < channels_; ++channel) run(op, rank, channel);
      }
    }
    return *std::max_element(rows_.back().begin(), rows_.back().end());
  }

 private:
  std::size_t before(std::size_t rank) const { return (rank + ranks_ - 1) % ranks_; }
  std::size_t after(std::size_t rank) const { return (rank + 1) % ranks_; }
  Duration end(int op, std::size_t rank, std::size_t channel) const {
    return op < 0 ? Duration{} : rows_[static_cast<std::size_t>(op)][rank * channels_ + channel];
  }

  bool receives(int op, std::size_t rank) const {
    return program_.pipelined ? rank > 0 : op % program_.operations > 0;
  }
  bool sends(int op, std::size_t rank) const {
    return program_.pipelined ? rank + 1 < ranks_
                              : op % program_.operations + 1 < program_.operations;
  }

  Duration start(int op, std::size_t rank, std::size_t channel) const {
    Duration at = end(op - 1, rank, channel);
    if (receives(op, rank)) {
      at = std::max(at, end(program_.pipelined ? op : op - 1, before(rank), channel));
    }
    if (!sends(op, rank)) return at;
    // The slot to fill was emptied by the operation that received what was sent `slots` sends ago.
    const int reader = program_.pipelined ? op - ring_.slots : op - ring_.slots - 1;
    return std::max(at, end(reader, after(rank), channel));
  }

  void run(int op, std::size_t rank, std::size_t channel) {
    const Duration begin = start(op, rank, channel);
    Duration copy;
    if (sends(op, rank)) copy = ring_.copy[rank];
    if (receives(op, rank)) copy = std::max(copy, ring_.copy[before(rank)]);
    Duration done = begin + copy + ring_.sync;
    if (sends(op, rank) && !ring_.wire.empty()) {
      Duration& free = wire_free_[rank];
      free = std::max(free, begin) + ring_.wire[rank];
      done = std::max(done, free);
    }
    rows_[static_cast<std::size_t>(op)][rank * channels_ + channel] = done;
  }

  const StepRing& ring_;
  std::size_t ranks_;
  std::size_t channels_;
  Program program_;
  std::vector<std::vector<Duration>> rows_;  // ends, by operation, then rank and channel
  std::vector<Duration> wire_free_;          // by hop
};

}  // namespace

Duration step_time(const StepRing& ring, CollectiveKind kind, int loops) {
  HEDDLE_CHECK(loops >= 1, "at least one loop");
  return Walk(ring, kind).time(loops);
}

Duration steady_loop_time(const StepRing& ring, CollectiveKind kind) {
  const Duration warm = step_time(ring, kind, kWarmLoops);
  const Duration longer = step_time(ring, kind, 3 * kWarmLoops);
  return {(longer - warm).ps / (2 * kWarmLoops)};
}

}  // namespace heddle::collective
