#include "sim/run/call_cost.h"

#include <algorithm>
#include <map>

#include "sim/base/int128.h"

namespace heddle::run {
namespace {

Bytes part(Bytes payload, std::int64_t ppb) {
  return {static_cast<std::int64_t>(static_cast<Int128>(payload.value) * ppb / kPpb)};
}

/// What leaves the GPUs of a group over all its links.
Bytes sent_by_group(const collective::CollectiveCost& cost, const fabric::Fabric& fabric) {
  Bytes sent;
  for (const collective::LinkUse& use : cost.uses) {
    const fabric::Device& from = fabric.device(fabric.link(use.link).from);
    if (from.kind == fabric::DeviceKind::kGpu) sent += part(cost.payload, use.bytes_ppb);
  }
  return sent;
}

}  // namespace

CallCost call_cost(const collective::CollectiveRequest& request,
                   std::span<const collective::CollectiveModel> groups,
                   const fabric::Fabric& fabric) {
  CallCost call;
  std::int64_t ranks = 0;
  std::map<fabric::LinkId, Int128> occupied;
  for (const collective::CollectiveModel& group : groups) {
    const collective::CollectiveCost cost = group.cost(request);
    call.sent += sent_by_group(cost, fabric);
    if (ranks == 0 || cost.total > call.slowest.total) call.slowest = cost;
    ranks += group.members();
    if (groups.size() == 1) continue;
    for (const collective::LinkUse& use : cost.uses) occupied[use.link] += use.occupancy_ppb;
  }
  call.sent.value /= std::max<std::int64_t>(1, ranks);
  collective::CollectiveCost& slowest = call.slowest;
  for (const auto& [link, ppb] : occupied) {
    if (ppb <= 0) continue;
    const Int128 rate =
        static_cast<Int128>(fabric.link(link).capacity.bytes_per_second) * kPpb / ppb;
    if (rate >= slowest.rate.bytes_per_second) continue;
    slowest.rate = {static_cast<std::int64_t>(rate)};
    slowest.limiting_link = link;
    slowest.total = slowest.latency + slowest.payload / slowest.rate;
  }
  return call;
}

}  // namespace heddle::run
