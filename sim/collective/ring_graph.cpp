#include "sim/collective/ring_graph.h"

#include <algorithm>
#include <set>
#include <utility>

namespace heddle::collective {
namespace {

using fabric::PathType;

// Dead ends of a sparse graph cost steps without yielding paths; NCCL bounds its search too.
constexpr int kWalkSteps = 200'000;

int fifths_of(PathType path, fabric::LinkKind kind) {
  return path == PathType::kPhb && kind == fabric::LinkKind::kPcie ? 6 : 5;
}

}  // namespace

RingGraph::RingGraph(const Wiring& wiring, int machine)
    : size_(static_cast<int>(wiring.members_of(machine).size())) {
  const std::span<const int> members = wiring.members_of(machine);
  for (int from : members) {
    for (int to : members) {
      const Hop& hop = wiring.hop(from, to);
      arcs_.push_back(arc_over(wiring.fabric(), hop.links, hop.path));
    }
  }
  const auto ports =
      wiring.machine_count() > 1 ? static_cast<int>(wiring.ports(machine).size()) : 0;
  for (int port = 0; port < ports; ++port) add_port(wiring, machine, port);
}

RingGraph::RingGraph(int size, const std::vector<std::vector<int>>& arcs,
                     std::vector<Bandwidth> capacities)
    : size_(size), capacities_(std::move(capacities)) {
  for (const std::vector<int>& links : arcs) {
    Arc arc{PathType::kNvlink, {}};
    for (int link : links) arc.demands.push_back({link, 5});
    arcs_.push_back(std::move(arc));
  }
}

RingGraph::Arc RingGraph::arc_over(const fabric::Fabric& fabric,
                                   std::span<const fabric::LinkId> links, PathType path) {
  Arc arc{path, {}};
  for (fabric::LinkId id : links) {
    const auto [at, is_new] = number_.try_emplace(id, static_cast<int>(capacities_.size()));
    if (is_new) capacities_.push_back(believed_capacity(fabric.link(id)));
    arc.demands.push_back({at->second, fifths_of(path, fabric.link(id).kind)});
  }
  return arc;
}

/// The NIC's cable is one more link each way.
void RingGraph::add_port(const Wiring& wiring, int machine, int port) {
  const fabric::Fabric& fabric = wiring.fabric();
  const NicPort& nic = wiring.ports(machine)[static_cast<std::size_t>(port)];
  Bandwidth cable;
  for (fabric::LinkId id : fabric.out_links(nic.nic)) {
    if (fabric.link(id).kind == fabric::LinkKind::kNetwork) cable = fabric.link(id).capacity;
  }
  const int out = static_cast<int>(capacities_.size());
  capacities_.push_back(cable);
  capacities_.push_back(cable);
  Port added;
  added.gateway = wiring.local(nic.gateway);
  added.enter = arc_over(fabric, wiring.ingress(port, nic.gateway), nic.path);
  added.enter.demands.push_back({out + 1, 5});
  for (int member : wiring.members_of(machine)) {
    added.leave.push_back(
        arc_over(fabric, wiring.egress(member, port), wiring.egress_path(member, port)));
    added.leave.back().demands.push_back({out, 5});
  }
  ports_.push_back(std::move(added));
}

std::vector<PathType> RingGraph::intra_paths() const {
  std::set<PathType> found;
  for (const Arc& arc : arcs_) {
    if (!arc.demands.empty()) found.insert(arc.path);
  }
  if (found.empty()) found.insert(PathType::kLocal);
  return {found.begin(), found.end()};
}

std::vector<PathType> RingGraph::inter_paths() const {
  std::set<PathType> found;
  for (const Port& port : ports_) {
    for (const Arc& arc : port.leave) found.insert(std::max(arc.path, port.enter.path));
  }
  if (found.empty()) found.insert(PathType::kLocal);
  return {found.begin(), found.end()};
}

std::vector<Demand> RingGraph::demands(const Order& order, int port,
                                       const WorstPaths& worst) const {
  std::vector<Demand> all;
  const auto add = [&all](const Arc& arc, PathType limit) {
    all.insert(all.end(), arc.demands.begin(), arc.demands.end());
    return !arc.demands.empty() && arc.path <= limit;
  };
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    if (!add(arc(order[i], order[i + 1]), worst.intra)) return {};
  }
  if (port < 0)
    return add(arc(order.back(), order.front()), worst.intra) ? all : std::vector<Demand>{};
  const Port& nic = ports_[static_cast<std::size_t>(port)];
  const Arc& leave = nic.leave[static_cast<std::size_t>(order.back())];
  if (!add(nic.enter, worst.inter) || !add(leave, worst.inter)) return {};
  return all;
}

struct RingGraph::Walk {
  WorstPaths worst;
  int port = -1;
  std::size_t limit = 0;
  int steps_left = kWalkSteps;
  Order order;
  std::vector<RingPath> found;
};

/// A ring of several members does not leave where it entered.
bool RingGraph::has_way_out(int port, const WorstPaths& worst) const {
  const Port& nic = ports_[static_cast<std::size_t>(port)];
  for (int last = 0; last < size_; ++last) {
    const bool may_end = size_ == 1 || last != nic.gateway;
    if (may_end && nic.leave[static_cast<std::size_t>(last)].path <= worst.inter) return true;
  }
  return false;
}

std::vector<RingPath> RingGraph::paths(const WorstPaths& worst, std::size_t limit) const {
  std::vector<RingPath> all;
  const int ports = static_cast<int>(ports_.size());
  for (int port = ports > 0 ? 0 : -1; port < ports; ++port) {
    if (port >= 0 && !has_way_out(port, worst)) continue;
    const int first = port < 0 ? 0 : ports_[static_cast<std::size_t>(port)].gateway;
    const std::size_t share = port < 0 ? limit : limit / ports_.size();
    Walk walk{worst, port, share, kWalkSteps, {first}, {}};
    extend(walk);
    all.insert(all.end(), walk.found.begin(), walk.found.end());
  }
  return all;
}

void RingGraph::extend(Walk& walk) const {
  Order& order = walk.order;
  if (static_cast<int>(order.size()) == size_) {
    std::vector<Demand> links = demands(order, walk.port, walk.worst);
    if (!links.empty()) walk.found.push_back({order, walk.port, std::move(links)});
    return;
  }
  for (int next = 0; next < size_; ++next) {
    if (std::find(order.begin(), order.end(), next) != order.end()) continue;
    const Arc& step = arc(order.back(), next);
    if (step.demands.empty() || step.path > walk.worst.intra) continue;
    if (walk.found.size() >= walk.limit || --walk.steps_left <= 0) return;
    order.push_back(next);
    extend(walk);
    order.pop_back();
  }
}

std::vector<bool> island_of(const RingGraph& graph, int start, fabric::PathType worst) {
  std::vector<bool> inside(static_cast<std::size_t>(graph.size()), false);
  std::vector<int> open{start};
  inside[static_cast<std::size_t>(start)] = true;
  while (!open.empty()) {
    const int from = open.back();
    open.pop_back();
    for (int to = 0; to < graph.size(); ++to) {
      const RingGraph::Arc& arc = graph.arc(from, to);
      if (inside[static_cast<std::size_t>(to)] || arc.demands.empty() || arc.path >= worst)
        continue;
      inside[static_cast<std::size_t>(to)] = true;
      open.push_back(to);
    }
  }
  return inside;
}

}  // namespace heddle::collective
