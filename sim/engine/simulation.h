#pragma once
// The event loop: a schedule and what its entries cost in, a result out. execute() prices a
// schedule on a platform and calls this; tests call it with costs of their own.

#include "sim/engine/cost_table.h"
#include "sim/engine/run_result.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

/// Throws InternalError on a schedule that check_schedule() would refuse.
RunResult simulate(const schedule::Schedule& schedule, const CostTable& costs,
                   const ExecutorOptions& options);

}  // namespace heddle::engine
