#include "sim/engine/executor.h"

#include "sim/engine/cost_table.h"
#include "sim/engine/simulation.h"

namespace heddle::engine {

RunResult execute(const schedule::Schedule& schedule, const Platform& platform,
                  const ExecutorOptions& options) {
  return simulate(schedule, price(schedule, platform), options);
}

}  // namespace heddle::engine
