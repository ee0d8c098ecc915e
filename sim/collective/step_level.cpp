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
      : ring_(ring), ranks_(ring.hop.size()), program_(program_of(kind, size())) {
    HEDDLE_CHECK(ranks_ >= 2 && ring.slots >= 1, "a ring has two members and a slot");
  }

  Duration time(int loops) {
    const int total = loops * program_.operations;
    rows_.assign(static_cast<std::size_t>(total), std::vector<Duration>(ranks_));
    for (int op = 0; op < total; ++op) {
      for (std::size_t rank = 0; rank < ranks_; ++rank) {
        rows_[static_cast<std::size_t>(op)][rank] = start(op, rank) + length(op, rank);
      }
    }
    return *std::max_element(rows_.back().begin(), rows_.back().end());
  }

 private:
  int size() const { return static_cast<int>(ring_.hop.size()); }
  std::size_t before(std::size_t rank) const { return (rank + ranks_ - 1) % ranks_; }
  std::size_t after(std::size_t rank) const { return (rank + 1) % ranks_; }
  Duration end(int op, std::size_t rank) const {
    return op < 0 ? Duration{} : rows_[static_cast<std::size_t>(op)][rank];
  }

  bool receives(int op, std::size_t rank) const {
    return program_.pipelined ? rank > 0 : op % program_.operations > 0;
  }
  bool sends(int op, std::size_t rank) const {
    return program_.pipelined ? rank + 1 < ranks_
                              : op % program_.operations + 1 < program_.operations;
  }

  Duration start(int op, std::size_t rank) const {
    Duration at = end(op - 1, rank);
    if (receives(op, rank)) {
      at = std::max(at, end(program_.pipelined ? op : op - 1, before(rank)));
    }
    // The slot to fill was emptied by the operation that received what was sent `slots` sends ago.
    if (sends(op, rank)) {
      const int reader = program_.pipelined ? op - ring_.slots : op - ring_.slots - 1;
      if (!program_.pipelined || reader >= 0) at = std::max(at, end(reader, after(rank)));
    }
    return at;
  }

  Duration length(int op, std::size_t rank) const {
    Duration longest;
    if (sends(op, rank)) longest = ring_.hop[rank];
    if (receives(op, rank)) longest = std::max(longest, ring_.hop[before(rank)]);
    return longest + ring_.sync;
  }

  const StepRing& ring_;
  std::size_t ranks_;
  Program program_;
  std::vector<std::vector<Duration>> rows_;  // ends, by operation and rank
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
