#pragma once
// Jobs on thousands of machines that are alike, simulated on some of them
// (fabric::Fabric::represented_nodes()). Collectives count the machines represented, so times,
// memory and the ranks' number are those of the whole job; tests compare both.

#include <cstddef>
#include <vector>

#include "sim/run/scenario.h"
#include "sim/schedule/schedule.h"

namespace heddle::run {

/// Beyond, a cluster that cannot be folded takes gigabytes and is refused.
inline constexpr int kMostWholeNodes = 16'384;

/// All GPUs of all machines take part, machine by machine; nothing but slow GPUs of the first
/// machines sets any apart.
bool can_fold(const FabricChoice& choice);

/// Leaves ranks beyond the first `ranks` out, and groups that have none of these.
void keep_first_ranks(std::vector<schedule::Communicator>& communicators, std::size_t ranks);
void keep_first_ranks(schedule::Schedule& schedule, std::size_t ranks);

}  // namespace heddle::run
