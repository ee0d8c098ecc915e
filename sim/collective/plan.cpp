#include "sim/collective/plan.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/base/check.h"
#include "sim/base/int128.h"
#include "sim/collective/share.h"

namespace heddle::collective {

Duration Believed::estimate(Bytes payload) const {
  const bool is_large = large_from.value > 0 && payload >= large_from;
  const double factor = is_large ? large_factor : 1;
  const double share = size_share ? at_size(*size_share, payload) : 1;
  return Duration{std::llround(static_cast<double>(latency.ps) * factor)} +
         payload / scale(rate, share);
}

Bandwidth Plan::rate_at(Bytes payload) const {
  const Duration transfer = payload / rate;
  const Duration stall = pipelining.stall(transfer);
  if (stall.ps == 0) return rate;
  const Int128 per_second = static_cast<Int128>(payload.value) * milliseconds(1'000).ps;
  const auto slowed = static_cast<std::int64_t>(per_second / (transfer + stall).ps);
  return {std::clamp<std::int64_t>(slowed, 1, rate.bytes_per_second)};
}

Duration Plan::time(Bytes payload) const {
  return latency + payload / rate_at(payload);
}

std::optional<Bandwidth> lower_of(std::optional<Bandwidth> a, std::optional<Bandwidth> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
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
