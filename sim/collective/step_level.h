#pragma once
// A ring operation by operation, for calibration, odd rings and teaching; no closed form used.
//
// One CTA per rank runs the operations of a chunk loop strictly in order (network_model 1.4):
//
//   all-reduce, n chunks    send; n - 2 receive-reduce-send; receive-reduce-copy-send;
//                           n - 2 receive-copy-send; receive              2n - 1 operations
//   gather, scatter         send; n - 2 receive-...-send; receive         n operations
//   broadcast               member 0 sends, the last receives, all others forward, one chunk a time
//
// An operation starts when the CTA has ended the one before, its data has arrived and the slot it
// fills is free, and lasts as long as the slower of its hops takes. The hop's time holds for every
// channel at once, so hops of the rings' links at their shared rates stand for all channels.

#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/schedule/schedule.h"

namespace heddle::collective {

struct StepRing {
  std::vector<Duration> hop;  // time of one chunk from rank i to rank i + 1, by i; n >= 2
  Duration sync;              // per operation besides
  int slots = 2;              // chunks in flight between neighbours, >= 1
};

/// Until the last rank is done with `loops` loops of whole chunks: n chunks a loop, one for
/// broadcasts and reduces. Cost: loops * n * operations.
Duration step_time(const StepRing& ring, schedule::CollectiveKind kind, int loops);

/// Time per loop once the pipeline is full: the difference of two step_times.
Duration steady_loop_time(const StepRing& ring, schedule::CollectiveKind kind);

}  // namespace heddle::collective
