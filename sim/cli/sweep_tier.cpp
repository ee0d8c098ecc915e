#include "sim/cli/sweep_tier.h"

#include <utility>

#include "sim/cli/verb_errors.h"

namespace heddle::cli {

collective::CommSettings settings_of(const collective::CommSettings& asked, engine::Tier tier) {
  collective::CommSettings settings = asked;
  if (tier != engine::Tier::kStep) return settings;
  if (settings.algorithm.value_or(collective::Algorithm::kRing) != collective::Algorithm::kRing) {
    throw UsageError("--tier step walks rings; leave --algorithm out, or give ring");
  }
  settings.algorithm = collective::Algorithm::kRing;
  return settings;
}

void retime(std::vector<SweepPoint>& points, const run::Machine& machine,
            const collective::CommSettings& comm, schedule::CollectiveKind kind,
            engine::Tier tier) {
  if (tier == engine::Tier::kClosed) return;
  Diagnostics problems;
  for (SweepPoint& point : points) {
    if (tier == engine::Tier::kFluid) {
      point.cost.total = engine::fluid_time(machine.fabric, point.cost);
    } else {
      const auto time =
          engine::collective_time({machine.fabric, machine.members, comm, machine.tuning},
                                  {kind, point.bytes}, tier, problems);
      if (!time) throw BadInput(std::move(problems));
      point.cost.total = *time;
    }
    set_bandwidths(point, kind, machine.world.size());
  }
}

}  // namespace heddle::cli
