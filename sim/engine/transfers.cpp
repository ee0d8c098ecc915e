#include "sim/engine/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/check.h"
#include "sim/engine/link_classes.h"

namespace heddle::engine {
namespace {

/// Groups may share links, as those of one machine do its network card.
std::vector<collective::LinkUse> summed_by_link(std::vector<collective::LinkUse> uses) {
  std::sort(uses.begin(), uses.end(),
            [](const auto& a, const auto& b) { return a.link.index() < b.link.index(); });
  std::vector<collective::LinkUse> sums;
  for (const collective::LinkUse& use : uses) {
    if (sums.empty() || sums.back().link != use.link) {
      sums.push_back(use);
      continue;
    }
    sums.back().occupancy_ppb += use.occupancy_ppb;
    sums.back().bytes_ppb += use.bytes_ppb;
  }
  return sums;
}

}  // namespace

Transfers::Transfers(const schedule::Schedule& schedule, const CostTable& costs,
                     const Folding& folding, const std::vector<std::uint32_t>& counts,
                     SharedLinks& links, EventQueue& queue)
    : schedule_(schedule),
      costs_(costs),
      queue_(queue),
      links_(links),
      folding_(folding),
      times_(schedule.collectives.size()) {
  for (const GroupClass& identity : folding.groups) {
    add_group(identity, counts[identity.communicator]);
  }
  fold_links();
}

void Transfers::add_group(const GroupClass& identity, std::uint32_t count) {
  const auto number = static_cast<std::uint32_t>(groups_.size());
  Group& group = groups_.emplace_back();
  group.identity = &identity;
  group.class_count = static_cast<std::uint32_t>(identity.members.size());
  group.rank_count = schedule_.communicators[identity.communicator].size();
  group.instances.resize(count);
  group.arrivals.resize(count * identity.members.size());
  group.mover = links_.add_mover(EventPhase::kTransferFinish, number);
  group.links.resize(schedule_.collectives.size());
  for (std::uint32_t c = 0; c < group.links.size(); ++c) {
    if (schedule_.collectives[c].communicator.value == identity.communicator) {
      group.links[c] = links_of(identity, c);
    }
  }
}

Transfers::Links Transfers::links_of(const GroupClass& identity, std::uint32_t collective) const {
  Links links;
  const auto uses = [&](std::uint32_t group) {
    return costs_.collectives[costs_.entry(collective, group)].uses;
  };
  links.carried = uses(identity.groups.front());
  if (identity.groups.size() > 1) {
    for (const std::uint32_t group : identity.groups) {
      links.sums.insert(links.sums.end(), uses(group).begin(), uses(group).end());
    }
    links.sums = summed_by_link(std::move(links.sums));
    links.carried = links.sums;
  }
  links.occupied = occupied_by(links.carried);
  return links;
}

/// Links that nothing tells apart are one in the network.
void Transfers::fold_links() {
  LinkClasses classes(costs_.links);
  for (const BackgroundFlow& flow : costs_.background) classes.split_by(occupied_by(flow.uses));
  for (const Group& group : groups_) {
    for (const Links& links : group.links) classes.split_by(links.occupied);
  }
  for (Group& group : groups_) {
    for (Links& links : group.links) classes.keep_first(links.occupied);
  }
}

std::uint32_t Transfers::running_entry(const Group& g) const {
  return costs_.entry(g.instances[g.next].collective, g.identity->groups.front());
}

void Transfers::arrive(const StreamOp& op, Arrival arrival) {
  const auto communicator = schedule_.collectives[op.arg].communicator.value;
  const std::uint32_t number =
      folding_.group_of[arrival.stream / schedule::kStreamCount][communicator];
  HEDDLE_CHECK(number != Folding::kNone, "a rank is not in the communicator it uses");
  Group& g = groups_[number];
  Instance& instance = g.instances[op.sequence];
  HEDDLE_CHECK(instance.arrived == 0 || instance.collective == op.arg,
               fmt::format("ranks issue different collectives as number {} of communicator \"{}\"",
                           op.sequence, schedule_.communicators[communicator].name));
  HEDDLE_CHECK(instance.arrived < g.class_count, "a rank arrives twice at a collective");
  instance.collective = op.arg;
  instance.last_arrival = std::max(instance.last_arrival, arrival.time);
  g.arrivals[op.sequence * g.class_count + instance.arrived++] = arrival;
  if (op.sequence == g.next) begin_if_ready(number);  // else it runs already, or waits its turn
}

void Transfers::begin_if_ready(std::uint32_t group) {
  Group& g = groups_[group];
  if (g.next == g.instances.size()) return;
  const Instance& instance = g.instances[g.next];
  if (instance.arrived < g.class_count) return;
  g.started = std::max(instance.last_arrival, g.free);
  const collective::CollectiveCost& cost = costs_.collectives[running_entry(g)];
  if (instantaneous(cost, g.rank_count)) {
    links_.plan_finish(g.mover, g.started);
  } else {
    queue_.push(g.started + cost.latency, EventPhase::kTransferStart, group);
  }
}

std::span<const Arrival> Transfers::running_arrivals(const Group& g) const {
  const std::size_t first = static_cast<std::size_t>(g.next) * g.class_count;
  return std::span<const Arrival>(g.arrivals).subspan(first, g.class_count);
}

Transfers::Started Transfers::start(std::uint32_t group, SimTime now) {
  const Group& g = groups_[group];
  const std::uint32_t entry = running_entry(g);
  const collective::CollectiveCost& cost = costs_.collectives[entry];
  const Links& links = g.links[g.instances[g.next].collective];
  links_.enter(g.mover, {cost.payload, cost.rate_cap, links.occupied, links.carried}, now);
  return {running_arrivals(g), entry};
}

bool Transfers::current(const Event& finish) const {
  return links_.current(groups_[finish.subject].mover, finish);
}

Transfers::Finished Transfers::finish(std::uint32_t group, SimTime now) {
  Group& g = groups_[group];
  if (links_.inside(g.mover)) links_.leave(g.mover, now);
  const Finished finished{running_arrivals(g), running_entry(g), g.free,
                          g.instances[g.next].last_arrival};
  const auto alike = static_cast<std::int64_t>(g.identity->groups.size());
  CollectiveTimes& times = times_[g.instances[g.next].collective];
  times.calls += alike;
  times.busy += (now - g.started) * alike;
  ++g.next;
  g.free = now;
  begin_if_ready(group);
  return finished;
}

}  // namespace heddle::engine
