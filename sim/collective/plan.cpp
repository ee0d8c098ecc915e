#include "sim/collective/plan.h"

#include "sim/base/check.h"
#include "sim/collective/share.h"

namespace heddle::collective {

Duration Plan::estimate(Bytes payload) const {
  return latency + payload / nominal;
}

Duration Plan::time(Bytes payload) const {
  return latency + payload / rate;
}

void settle_rate(Plan& plan, const fabric::Fabric& fabric, std::optional<Bandwidth> cap) {
  HEDDLE_CHECK(!plan.uses.empty(), "a collective of several members uses links");
  for (const LinkUse& use : plan.uses) {
    const Bandwidth allowed =
        payload_rate(fabric.link(use.link).capacity, {use.occupancy_ppb, kPpb});
    if (plan.limiting_link && allowed >= plan.rate) continue;
    plan.rate = allowed;
    plan.limiting_link = use.link;
  }
  if (cap && *cap < plan.rate) {
    plan.rate = *cap;
    plan.limiting_link = std::nullopt;
  }
  plan.rate_cap = plan.rate;
  HEDDLE_CHECK(plan.rate.bytes_per_second > 0, "a collective must make progress");
}

}  // namespace heddle::collective
