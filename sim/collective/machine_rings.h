#pragma once
// The ring search of every machine of a group, done once for machines of equal shape whose members
// are the same GPUs.

#include <vector>

#include "sim/collective/nccl_tuning.h"
#include "sim/collective/ring_search.h"
#include "sim/collective/wiring.h"

namespace heddle::collective {

/// By machine; orders hold local indices. At least one ring each: where none reaches NCCL's lowest
/// candidate speed, one at the speed of its slowest link.
std::vector<RingsFound> search_machines(const Wiring& wiring, const NcclTuning& tuning);

}  // namespace heddle::collective
