#pragma once
// A ring operation by operation, for calibration, odd rings and teaching; no closed form used.
//
// One CTA per channel and rank runs the operations of a chunk loop strictly in order (network_model
// 1.4):
//
//   all-reduce, n chunks    send; n - 2 receive-reduce-send; receive-reduce-copy-send;
//                           n - 2 receive-copy-send; receive              2n - 1 operations
//   gather, scatter         send; n - 2 receive-...-send; receive         n operations
//   broadcast, reduce       the first sends, the last receives, all others forward, chunk by chunk
//
// An operation starts when the CTA has ended the one before, its data has arrived and the slot it
// fills is free. It lasts as long as the slower of its hops' copies, and ends no earlier than its
// chunk has passed the wire, which serves the channels in turn.

#include <vector>

#include "sim/base/units.h"
#include "sim/schedule/schedule.h"

namespace heddle::collective {

struct StepRing {
  std::vector<Duration> copy;  // CTA's time for one chunk over the hop from rank i to i + 1; n >= 2
  std::vector<Duration> wire;  // the hop's own time for it, all channels sharing; empty: none
  Duration sync;               // per operation besides
  int channels = 1;            // CTAs per rank
  int slots = 2;               // chunks in flight between neighbours, >= 1
};

/// Until the last rank is done with `loops` loops of whole chunks in every channel: n chunks a
/// loop, one for broadcasts and reduces. Cost: loops * channels * n * operations.
Duration step_time(const StepRing& ring, schedule::CollectiveKind kind, int loops);

/// Time per loop once the pipeline is full: from the difference of two step_times.
Duration steady_loop_time(const StepRing& ring, schedule::CollectiveKind kind);

}  // namespace heddle::collective
