#pragma once
// The rings of a group walked operation by operation (step_level.h), with the hops' rates taken
// from the links. Slow, and independent of the closed form.

#include <optional>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/collective/collective_model.h"

namespace heddle::collective {

/// Time of the request on the rings that CollectiveModel would find, in the protocol that NCCL
/// would choose among theirs; the plan's latency plus the walk. nullopt and diagnostics where
/// CollectiveModel has some, and for kinds that rings do not run. A single member and no bytes take
/// no time.
std::optional<Duration> ring_step_time(const fabric::Fabric& fabric,
                                       const std::vector<fabric::DeviceId>& members,
                                       const CommSettings& settings, const NcclTuning& tuning,
                                       const CollectiveRequest& request, Diagnostics& out);

}  // namespace heddle::collective
