#pragma once
// Is a schedule sound? Every strategy is held to it by test; a tool that writes schedules calls it
// before anything runs, so that no interpreter ever hangs on one.

#include <string>
#include <vector>

#include "sim/schedule/schedule.h"

namespace heddle::schedule {

/// Every problem, in words that name program, op and label; empty when sound:
/// dangling references; communicators whose groups overlap or differ in size; waits for events not
/// recorded before; buffers allocated twice, freed while not allocated, or left over by a step
/// after the first so that it ends with more than it began with (leaks); collectives that the ranks
/// of a communicator issue in different order or with different sizes; ranks that would wait for
/// each other for ever.
std::vector<std::string> check_schedule(const Schedule& schedule);

}  // namespace heddle::schedule
