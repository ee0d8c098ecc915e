#include "sim/collective/ring_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "sim/collective/host_staging.h"
#include "sim/collective/path_efficiency.h"
#include "sim/collective/plan_table.h"
#include "sim/collective/ring_latency.h"
#include "sim/collective/step_level.h"

namespace heddle::collective {
namespace {

using schedule::CollectiveKind;

// NCCL's slots of Simple hold 512 KiB; a chunk of a ring is four of them at most.
constexpr std::int64_t kMostChunk = 4 * 512 * 1024;
constexpr int kMostLoops = 64;  // longer messages are walked with larger chunks

/// By link: how often all rings cross it.
std::map<fabric::LinkId, int> crossings_of(const Group& group) {
  std::map<fabric::LinkId, int> crossings;
  for (const Bundle& bundle : bundles_of(group.rings)) {
    for (std::size_t at = 0; at < group.rings.orders[bundle.ring].size(); ++at) {
      for (fabric::LinkId link : ring_hop(group.wiring, group.rings, bundle.ring, at).links) {
        crossings[link] += bundle.rings;
      }
    }
  }
  return crossings;
}

Duration time_of(double bytes, double bytes_per_second) {
  return {std::llround(bytes / bytes_per_second * 1e12)};
}

class RingWalk {
 public:
  RingWalk(const Group& group, const Plan& plan, CollectiveKind kind)
      : group_(group),
        kind_(kind),
        achieved_(efficiencies(group, plan.protocol)),
        share_(protocol_efficiency(*group.tuning, plan.protocol)),
        crossings_(crossings_of(group)) {}

  Duration time(Bytes payload) const {
    Duration longest;
    for (const Bundle& bundle : bundles_of(group_.rings)) {
      longest = std::max(longest, time_of_bundle(bundle, payload));
    }
    return longest;
  }

 private:
  Duration time_of_bundle(const Bundle& bundle, Bytes payload) const {
    const auto all = static_cast<std::int64_t>(group_.rings.orders.size());
    const int channels = std::max(
        1, static_cast<int>(group_.rings.ctas * static_cast<std::int64_t>(bundle.rings) / all));
    const double per_channel =
        static_cast<double>(payload.value) * bundle.rings / static_cast<double>(all) / channels;
    const double parts = is_chain(kind_) ? 1 : group_.size();
    const double wanted = per_channel / parts / static_cast<double>(kMostChunk);
    const int loops = std::clamp(static_cast<int>(std::ceil(std::min(wanted, 1e6))), 1, kMostLoops);
    return step_time(ring_of(bundle, channels, per_channel / parts / loops), kind_, loops);
  }

  StepRing ring_of(const Bundle& bundle, int channels, double chunk) const {
    StepRing ring;
    ring.channels = channels;
    const Order& order = group_.rings.orders[bundle.ring];
    // A reduction runs towards member 0: the walk begins at the member after it.
    const std::size_t first = kind_ == CollectiveKind::kReduce ? 1 : 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t at = (first + i) % order.size();
      const Hop hop = ring_hop(group_.wiring, group_.rings, bundle.ring, at);
      ring.wire.push_back(time_of(chunk, wire_rate(hop, bundle)));
      ring.copy.push_back(copy_time(hop, chunk));
    }
    return ring;
  }

  double wire_rate(const Hop& hop, const Bundle& bundle) const {
    double slowest = 1e30;
    for (fabric::LinkId id : hop.links) {
      const auto capacity =
          static_cast<double>(group_.wiring.fabric().link(id).capacity.bytes_per_second);
      slowest = std::min(slowest, capacity * bundle.rings / crossings_.at(id));
    }
    return slowest * achieved_[static_cast<std::size_t>(hop.transport)];
  }

  /// Only copies through host memory hold a CTA back for longer than its wire does.
  Duration copy_time(const Hop& hop, double chunk) const {
    if (hop.transport != Transport::kHostMemory) return {};
    const Bandwidth rate = rate_per_cta(group_.comm().host_staging, hop.crosses_socket);
    return time_of(chunk, static_cast<double>(rate.bytes_per_second) * share_);
  }

  const Group& group_;
  CollectiveKind kind_;
  Efficiencies achieved_;
  double share_;
  std::map<fabric::LinkId, int> crossings_;
};

}  // namespace

std::optional<Duration> ring_step_time(const fabric::Fabric& fabric,
                                       const std::vector<fabric::DeviceId>& members,
                                       const CommSettings& settings, const NcclTuning& tuning,
                                       const CollectiveRequest& request, Diagnostics& out) {
  if (schedule::is_point_to_point(request.kind)) {
    out.error("no-step-level", fabric.name(), "", 0,
              std::string(schedule::to_string(request.kind)) + " does not run on rings",
              "leave the tier out");
    return std::nullopt;
  }
  CommSettings on_rings = settings;
  on_rings.algorithm = Algorithm::kRing;
  std::optional<Wiring> wiring = Wiring::create(fabric, members, on_rings, out);
  if (!wiring) return std::nullopt;
  if (wiring->size() < 2 || request.bytes.value == 0) return Duration{};
  RingSet rings = find_rings(*wiring, tuning, on_rings);
  const Group group{*std::move(wiring), std::move(rings), &tuning, on_rings};
  const std::optional<PlanTable> plans = PlanTable::create(group, out);
  if (!plans) return std::nullopt;
  const Plan& plan = plans->choose(request.kind, request.bytes);
  return plan.latency + RingWalk(group, plan, request.kind).time(request.bytes);
}

}  // namespace heddle::collective
