#pragma once
// All ranks of a schedule as threads of this process on the reference device: what tests and the
// conformance suite run first, with nothing but the standard library under it.

#include <functional>
#include <memory>
#include <vector>

#include "validator/device/transport.h"
#include "validator/execute/rank_runner.h"

namespace heddle::execute {

struct ThreadJobHooks {
  /// Wraps what a rank exchanges data through, to inject faults; the inner one outlives the result.
  std::function<std::unique_ptr<device::Transport>(device::Transport& inner, int rank)> transport;
  Bytes memory = gibibytes(64);  // of each rank
  int repeats = 1;               // on the same devices
};

/// By repeat and rank. A rank that fails takes the others with it, and ends the repeats.
std::vector<std::vector<RankRun>> run_in_threads(const schedule::Schedule& schedule,
                                                 const RunOptions& options,
                                                 const ThreadJobHooks& hooks = {});

}  // namespace heddle::execute
