#pragma once
// Did a run keep the order that its schedule demands? By the device's own times: ops of a stream
// one after the other, none before the events it waits for, collectives of a communicator in turn.

#include <span>
#include <string>
#include <vector>

#include "validator/execute/rank_runner.h"

namespace heddle::judge {

/// "rank 1: op 12 starts 3.40 us before op 9 has ended, on its stream", ten at most; empty if all
/// is in order. Times of one device are compared, so clocks of ranks do not matter; less than
/// `tolerance_ns`, the resolution of its events, is no fault.
std::vector<std::string> order_faults(const schedule::Schedule& schedule,
                                      std::span<const execute::RankRun> runs,
                                      std::int64_t tolerance_ns = 2000);

}  // namespace heddle::judge
