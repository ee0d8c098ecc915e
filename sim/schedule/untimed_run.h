#pragma once
// All ranks of a schedule run without a clock: whatever can happen happens, until nothing more
// does. Collectives match as everywhere: number k of a communicator, in program order, meets number
// k of its other members and completes only after number k-1.

#include <cstddef>
#include <string>
#include <vector>

#include "sim/schedule/schedule.h"

namespace heddle::schedule {

/// "program 0, op 17 (collective backward, layer 3, "all-reduce bucket")".
std::string describe_op(const Schedule& schedule, std::size_t program, std::size_t op);

/// Ranks that disagree on a collective, or wait for ever; empty when every rank reaches its end.
/// The references of `schedule` must be valid.
std::vector<std::string> run_untimed(const Schedule& schedule);

}  // namespace heddle::schedule
