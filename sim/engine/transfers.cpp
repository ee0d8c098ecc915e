#include "sim/engine/transfers.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/check.h"

namespace heddle::engine {
namespace {

std::vector<ResourceUse> resource_uses(const collective::CollectiveCost& cost) {
  std::vector<ResourceUse> uses;
  uses.reserve(cost.uses.size());
  for (const collective::LinkUse& use : cost.uses) {
    if (use.occupancy_ppb > 0) uses.push_back({ResourceId{use.link.index()}, use.occupancy_ppb});
  }
  return uses;
}

}  // namespace

Transfers::Transfers(const schedule::Schedule& schedule, const CostTable& costs,
                     const std::vector<std::vector<std::uint32_t>>& members,
                     const std::vector<std::uint32_t>& counts, bool record_links, EventQueue& queue)
    : schedule_(schedule),
      costs_(costs),
      queue_(queue),
      communicators_(members.size()),
      network_(costs.links),
      recorder_(costs.links.size()),
      record_links_(record_links) {
  for (std::size_t c = 0; c < members.size(); ++c) {
    Communicator& communicator = communicators_[c];
    communicator.class_count = static_cast<std::uint32_t>(members[c].size());
    communicator.rank_count = schedule.communicators[c].ranks.size();
    communicator.instances.resize(counts[c]);
    communicator.arrivals.resize(counts[c] * members[c].size());
  }
  uses_.reserve(costs.collectives.size());
  for (const collective::CollectiveCost& cost : costs.collectives) {
    uses_.push_back(resource_uses(cost));
  }
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
  const SimTime start = std::max(instance.last_arrival, c.free);
  const collective::CollectiveCost& cost = running_cost(c);
  if (instantaneous(cost, c.rank_count)) {
    queue_.push(start, EventPhase::kTransferFinish, communicator, ++c.version);
  } else {
    queue_.push(start + cost.latency, EventPhase::kTransferStart, communicator);
  }
}

void Transfers::pass_time(SimTime now) {
  network_.advance(now - network_time_);
  network_time_ = now;
}

void Transfers::request_reshare(SimTime now) {
  if (reshare_pending_) return;
  reshare_pending_ = true;
  queue_.push(now, EventPhase::kReshare);
}

std::span<const Arrival> Transfers::running_arrivals(const Communicator& c) const {
  const std::size_t first = static_cast<std::size_t>(c.next) * c.class_count;
  return std::span<const Arrival>(c.arrivals).subspan(first, c.class_count);
}

Transfers::Started Transfers::start(std::uint32_t communicator, SimTime now) {
  pass_time(now);
  Communicator& c = communicators_[communicator];
  const collective::CollectiveCost& cost = running_cost(c);
  c.activity = network_.add(cost.payload, cost.rate_cap, uses_[c.instances[c.next].collective]);
  c.rate = 0;
  owner_.resize(std::max(owner_.size(), c.activity.index() + 1));
  owner_[c.activity.index()] = communicator;
  request_reshare(now);
  return {running_arrivals(c), c.instances[c.next].collective};
}

bool Transfers::current(const Event& finish) const {
  return communicators_[finish.subject].version == finish.version;
}

void Transfers::leave_network(Communicator& c) {
  if (record_links_) recorder_.change(running_cost(c).uses, -c.rate);
  network_.remove(c.activity);
  c.activity = ActivityId{};
}

Transfers::Finished Transfers::finish(std::uint32_t communicator, SimTime now) {
  Communicator& c = communicators_[communicator];
  if (c.activity.valid()) {
    pass_time(now);
    leave_network(c);
    request_reshare(now);
  }
  const Finished finished{running_arrivals(c), c.instances[c.next].collective, c.free};
  ++c.next;
  c.free = now;
  begin_if_ready(communicator);
  return finished;
}

void Transfers::reshare(SimTime now) {
  reshare_pending_ = false;
  pass_time(now);
  network_.solve();
  for (const ActivityId activity : network_.changed()) {
    const std::uint32_t number = owner_[activity.index()];
    Communicator& c = communicators_[number];
    const std::int64_t rate = network_.rate(activity).bytes_per_second;
    if (record_links_) recorder_.change(running_cost(c).uses, rate - c.rate);
    c.rate = rate;
    queue_.push(now + network_.time_left(activity), EventPhase::kTransferFinish, number,
                ++c.version);
  }
  if (record_links_) recorder_.flush(now);
}

}  // namespace heddle::engine
