#pragma once
// What all ranks measured, as the same RunResult that the simulator yields: ranks are not folded,
// times count from the moment the last rank began.
//
//   step s         ends when everything issued before its kStepEnd mark is done, or at the mark if
//                  later; begins where step s-1 ended, the first at its kStepBegin mark
//   compute        the compute stream is busy with a kernel
//   exposed comm   a collective runs and the compute stream is not busy
//   other          the rest of the step

#include <span>

#include "sim/engine/run_result.h"
#include "validator/execute/rank_runner.h"

namespace heddle::execute {

/// `runs` by rank, none of them failed.
engine::RunResult measured_result(const schedule::Schedule& schedule,
                                  std::span<const RankRun> runs);

}  // namespace heddle::execute
