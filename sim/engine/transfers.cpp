#include "sim/engine/transfers.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/check.h"
#include "sim/engine/link_classes.h"

namespace heddle::engine {
Transfers::Transfers(const schedule::Schedule& schedule, const CostTable& costs,
                     const std::vector<std::vector<std::uint32_t>>& members,
                     const std::vector<std::uint32_t>& counts, SharedLinks& links,
                     EventQueue& queue)
    : schedule_(schedule),
      costs_(costs),
      queue_(queue),
      links_(links),
      communicators_(members.size()),
      times_(costs.collectives.size()) {
  for (std::uint32_t c = 0; c < members.size(); ++c) {
    Communicator& communicator = communicators_[c];
    communicator.class_count = static_cast<std::uint32_t>(members[c].size());
    communicator.rank_count = schedule.communicators[c].ranks.size();
    communicator.instances.resize(counts[c]);
    communicator.arrivals.resize(counts[c] * members[c].size());
    communicator.mover = links.add_mover(EventPhase::kTransferFinish, c);
  }
  occupied_.reserve(costs.collectives.size());
  for (const collective::CollectiveCost& cost : costs.collectives) {
    occupied_.push_back(occupied_by(cost.uses));
  }
  fold_links();
}

/// Links that nothing tells apart are one in the network.
void Transfers::fold_links() {
  LinkClasses classes(costs_.links);
  for (const BackgroundFlow& flow : costs_.background) classes.split_by(occupied_by(flow.uses));
  for (const std::vector<ResourceUse>& uses : occupied_) classes.split_by(uses);
  for (std::vector<ResourceUse>& uses : occupied_) classes.keep_first(uses);
}

const collective::CollectiveCost& Transfers::running_cost(const Communicator& c) const {
  return costs_.collectives[c.instances[c.next].collective];
}

void Transfers::arrive(const StreamOp& op, Arrival arrival) {
  const auto number = schedule_.collectives[op.arg].communicator.value;
  Communicator& c = communicators_[number];
  Instance& instance = c.instances[op.sequence];
  HEDDLE_CHECK(instance.arrived == 0 || instance.collective == op.arg,
               fmt::format("ranks issue different collectives as number {} of communicator \"{}\"",
                           op.sequence, schedule_.communicators[number].name));
  HEDDLE_CHECK(instance.arrived < c.class_count, "a rank is not in the communicator it uses");
  instance.collective = op.arg;
  instance.last_arrival = std::max(instance.last_arrival, arrival.time);
  c.arrivals[op.sequence * c.class_count + instance.arrived++] = arrival;
  if (op.sequence == c.next) begin_if_ready(number);  // else it runs already, or waits its turn
}

void Transfers::begin_if_ready(std::uint32_t communicator) {
  Communicator& c = communicators_[communicator];
  if (c.next == c.instances.size()) return;
  const Instance& instance = c.instances[c.next];
  if (instance.arrived < c.class_count) return;
  c.started = std::max(instance.last_arrival, c.free);
  const collective::CollectiveCost& cost = running_cost(c);
  if (instantaneous(cost, c.rank_count)) {
    links_.plan_finish(c.mover, c.started);
  } else {
    queue_.push(c.started + cost.latency, EventPhase::kTransferStart, communicator);
  }
}

std::span<const Arrival> Transfers::running_arrivals(const Communicator& c) const {
  const std::size_t first = static_cast<std::size_t>(c.next) * c.class_count;
  return std::span<const Arrival>(c.arrivals).subspan(first, c.class_count);
}

Transfers::Started Transfers::start(std::uint32_t communicator, SimTime now) {
  const Communicator& c = communicators_[communicator];
  const collective::CollectiveCost& cost = running_cost(c);
  const std::uint32_t collective = c.instances[c.next].collective;
  links_.enter(c.mover, {cost.payload, cost.rate_cap, occupied_[collective], cost.uses}, now);
  return {running_arrivals(c), collective};
}

bool Transfers::current(const Event& finish) const {
  return links_.current(communicators_[finish.subject].mover, finish);
}

Transfers::Finished Transfers::finish(std::uint32_t communicator, SimTime now) {
  Communicator& c = communicators_[communicator];
  if (links_.inside(c.mover)) links_.leave(c.mover, now);
  const Finished finished{running_arrivals(c), c.instances[c.next].collective, c.free};
  CollectiveTimes& times = times_[finished.collective];
  ++times.calls;
  times.busy += now - c.started;
  ++c.next;
  c.free = now;
  begin_if_ready(communicator);
  return finished;
}

}  // namespace heddle::engine
