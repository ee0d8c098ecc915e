#include "sim/collective/ring_graph.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::collective {

RingGraph::RingGraph(const Wiring& wiring, Transport worst) : size_(wiring.size()) {
  arcs_.resize(cell(size_, 0));
  std::map<fabric::LinkId, int> number;
  for (int from = 0; from < size_; ++from) {
    for (int to = 0; to < size_; ++to) {
      const Hop& hop = wiring.hop(from, to);
      if (hop.transport > worst) continue;
      for (fabric::LinkId link : hop.links) {
        const auto [at, is_new] = number.try_emplace(link, static_cast<int>(number.size()));
        if (is_new) capacities_.push_back(wiring.fabric().link(link).capacity);
        arcs_[cell(from, to)].push_back(at->second);
      }
    }
  }
}

RingGraph::RingGraph(int size, std::vector<std::vector<int>> arcs,
                     std::vector<Bandwidth> capacities)
    : size_(size), arcs_(std::move(arcs)), capacities_(std::move(capacities)) {}

std::vector<int> RingGraph::links_of(const Order& order) const {
  std::vector<int> links;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::span<const int> hop = arc(order[i], order[(i + 1) % order.size()]);
    if (hop.empty()) return {};
    links.insert(links.end(), hop.begin(), hop.end());
  }
  return links;
}

std::vector<Order> RingGraph::hamiltonian_cycles() const {
  std::vector<Order> found;
  Order path{0};
  extend(path, found);
  return found;
}

void RingGraph::extend(Order& path, std::vector<Order>& found) const {
  if (static_cast<int>(path.size()) == size_) {
    if (!arc(path.back(), path.front()).empty()) found.push_back(path);
    return;
  }
  for (int next = 1; next < size_; ++next) {
    if (std::find(path.begin(), path.end(), next) != path.end()) continue;
    if (arc(path.back(), next).empty()) continue;
    path.push_back(next);
    extend(path, found);
    path.pop_back();
  }
}

}  // namespace heddle::collective
