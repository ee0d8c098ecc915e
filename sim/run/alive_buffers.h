#pragma once
// What is allocated at a moment of a rank's program, in the words of a memory report.

#include <cstdint>
#include <vector>

#include "sim/run/memory_report.h"
#include "sim/schedule/schedule.h"

namespace heddle::run {

/// Right after `last_op` of `ops`, by name (layers together) and category, largest first.
std::vector<AliveBuffers> alive_after(const schedule::Schedule& schedule,
                                      const std::vector<schedule::Op>& ops, std::uint32_t last_op);

}  // namespace heddle::run
