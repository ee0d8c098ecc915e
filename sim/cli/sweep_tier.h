#pragma once
// A sweep timed at another fidelity than the closed form (sim/engine/collective_tier.h).

#include <vector>

#include "sim/cli/sweep.h"
#include "sim/engine/collective_tier.h"

namespace heddle::cli {

/// The settings with which the tier's answers and the sweep's are about the same plan: the step
/// level walks rings only. Throws UsageError if another algorithm is asked for.
collective::CommSettings settings_of(const collective::CommSettings& asked, engine::Tier tier);

/// Replaces the times and bandwidths. Throws BadInput where the tier cannot run the kind.
void retime(std::vector<SweepPoint>& points, const run::Machine& machine,
            const collective::CommSettings& comm, schedule::CollectiveKind kind, engine::Tier tier);

}  // namespace heddle::cli
