#include "sim/engine/collective_tier.h"

#include "sim/collective/ring_steps.h"
#include "sim/engine/fluid_network.h"

namespace heddle::engine {

Duration fluid_time(const fabric::Fabric& fabric, const collective::CollectiveCost& cost) {
  if (cost.payload.value == 0) return cost.total;
  std::vector<Bandwidth> capacities;
  for (const fabric::Link& link : fabric.links()) capacities.push_back(link.capacity);
  FluidNetwork network(capacities);
  std::vector<ResourceUse> uses;
  for (const collective::LinkUse& use : cost.uses) {
    uses.push_back({ResourceId(use.link.index()), use.occupancy_ppb});
  }
  const ActivityId activity = network.add(cost.payload, cost.rate_cap, uses);
  network.solve();
  return cost.latency + network.time_left(activity);
}

std::string_view to_string(Tier tier) {
  constexpr std::array<std::string_view, kTiers.size()> kNames{"closed", "fluid", "step"};
  return kNames[static_cast<std::size_t>(tier)];
}

std::optional<Duration> collective_time(const TierInput& input,
                                        const collective::CollectiveRequest& request, Tier tier,
                                        Diagnostics& out) {
  if (tier == Tier::kStep) {
    return collective::ring_step_time(input.fabric, input.members, input.settings, input.tuning,
                                      request, out);
  }
  const auto model = collective::CollectiveModel::create(input.fabric, input.members,
                                                         input.settings, input.tuning, out);
  if (!model) return std::nullopt;
  if (const auto refusal = model->refusal(request.kind)) {
    out.error(refusal->code, input.fabric.name(), "", 0, refusal->reason, refusal->hint);
    return std::nullopt;
  }
  const collective::CollectiveCost cost = model->cost(request);
  return tier == Tier::kClosed ? cost.total : fluid_time(input.fabric, cost);
}

}  // namespace heddle::engine
