#include "sim/collective/collective_model.h"

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/collective/plan_table.h"
#include "sim/collective/ring.h"

namespace heddle::collective {

namespace {

/// Bytes that the busiest wire of an ideal ring carries per byte of payload (nccl-tests' factor).
Share bus_share(schedule::CollectiveKind kind, int ranks) {
  if (kind == schedule::CollectiveKind::kSendRecv) return {1, 1};
  return ring_hop_share(kind, ranks);
}

}  // namespace

/// A single member has neither rings nor plans.
struct CollectiveModel::Found {
  int size = 0;
  int members = 0;
  std::vector<Order> rings;
  RingFacts facts;
  std::optional<PlanTable> plans;
};

CollectiveModel::CollectiveModel(std::shared_ptr<const Found> found) : found_(std::move(found)) {}

std::optional<CollectiveModel> CollectiveModel::create(const fabric::Fabric& fabric,
                                                       std::vector<fabric::DeviceId> members,
                                                       const CommSettings& settings,
                                                       const NcclTuning& tuning, Diagnostics& out) {
  std::optional<Wiring> wiring = Wiring::create(fabric, std::move(members), settings, out);
  if (!wiring) return std::nullopt;
  auto found = std::make_shared<Found>();
  found->size = wiring->represented_size();
  found->members = wiring->size();
  if (found->size > 1) {
    RingSet rings = find_rings(*wiring, tuning, settings);
    const Group group{*std::move(wiring), std::move(rings), &tuning, settings};
    found->plans = PlanTable::create(group, out);
    if (!found->plans) return std::nullopt;
    found->rings = group.rings.orders;
    found->facts = {group.rings.channels, group.rings.ctas, group.rings.nominal_bus,
                    group.rings.transport};
  }
  return CollectiveModel(std::move(found));
}

CollectiveCost CollectiveModel::cost(const CollectiveRequest& request) const {
  HEDDLE_CHECK(request.bytes.value >= 0, "a collective of negative size");
  CollectiveCost cost;
  if (!found_->plans || request.bytes.value == 0) {
    cost.transport = Transport::kSelf;
    return cost;
  }
  const Plan& plan = found_->plans->choose(request.kind, request.bytes);
  cost.algorithm = plan.algorithm;
  cost.protocol = plan.protocol;
  cost.transport = plan.transport;
  cost.channels = plan.channels;
  cost.latency = plan.latency;
  cost.payload = request.bytes;
  cost.uses = plan.uses;
  cost.rate = plan.rate_at(request.bytes);
  cost.rate_cap = std::min(plan.rate_cap, cost.rate);
  cost.total = plan.time(request.bytes);
  cost.limiting_link = plan.limiting_link;
  return cost;
}

std::vector<CollectiveChoice> CollectiveModel::choices(const CollectiveRequest& request) const {
  std::vector<CollectiveChoice> all;
  if (!found_->plans || request.bytes.value == 0) return all;
  const std::span<const Plan> plans = found_->plans->plans(request.kind);
  if (plans.empty()) return all;
  const Plan* chosen = &found_->plans->choose(request.kind, request.bytes);
  for (const Plan& plan : plans) {
    all.push_back({plan.algorithm, plan.protocol, plan.channels, plan.estimate(request.bytes),
                   plan.time(request.bytes), plan.rate_at(request.bytes), plan.limiting_link,
                   &plan == chosen});
  }
  return all;
}

std::optional<Refusal> CollectiveModel::refusal(schedule::CollectiveKind kind) const {
  return found_->plans ? found_->plans->refusal(kind) : std::nullopt;
}

double CollectiveModel::bus_factor(schedule::CollectiveKind kind, int ranks) {
  const Share share = bus_share(kind, ranks);
  return static_cast<double>(share.num) / static_cast<double>(share.den);
}

int CollectiveModel::size() const {
  return found_->size;
}

int CollectiveModel::members() const {
  return found_->members;
}

std::span<const std::vector<int>> CollectiveModel::rings() const {
  return found_->rings;
}

RingFacts CollectiveModel::ring_facts() const {
  return found_->facts;
}

}  // namespace heddle::collective
