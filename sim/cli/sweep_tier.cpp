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
            const run::FabricChoice& place, schedule::CollectiveKind kind, engine::Tier tier,
            const Environment& env) {
  if (tier == engine::Tier::kClosed) return;
  Diagnostics problems;
  const auto tuning =
      env.catalog.nccl_tuning(machine.gpu.architecture, place.nccl_version, problems);
  for (SweepPoint& point : points) {
    if (!tuning) break;
    const auto time =
        engine::collective_time({machine.fabric, machine.members, place.comm, *tuning},
                                {kind, point.bytes}, tier, problems);
    if (!time) break;
    point.cost.total = *time;
    set_bandwidths(point, kind, machine.world.size());
  }
  if (!problems.all().empty()) throw BadInput(std::move(problems));
}

}  // namespace heddle::cli
