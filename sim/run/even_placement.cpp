#include "sim/run/even_placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/run/marked_sets.h"

namespace heddle::run {
namespace {

using fabric::DeviceId;

/// Positions among a machine's GPUs.
using Pattern = std::vector<int>;

struct Node {
  std::span<const DeviceId> gpus;
  std::set<int> available;             // positions of free GPUs
  std::size_t leaf = DeviceId::kNone;  // switch a NIC hangs on, the lowest
};

std::size_t leaf_of(const fabric::Fabric& fabric, int node) {
  std::size_t leaf = DeviceId::kNone;
  for (const DeviceId nic : fabric.node_nics(node)) {
    for (const fabric::LinkId id : fabric.out_links(nic)) {
      const DeviceId to = fabric.link(id).to;
      const bool is_switch = fabric.device(to).kind == fabric::DeviceKind::kNetSwitch;
      if (is_switch) leaf = std::min(leaf, to.index());
    }
  }
  return leaf;
}

std::vector<Node> nodes_of(const fabric::Fabric& fabric, std::span<const DeviceId> available) {
  std::vector<Node> nodes;
  for (int n = 0; n < fabric.node_count(); ++n) {
    Node node{fabric.node_gpus(n), {}, leaf_of(fabric, n)};
    for (std::size_t i = 0; i < node.gpus.size(); ++i) {
      const bool is_free = std::binary_search(available.begin(), available.end(), node.gpus[i]);
      if (is_free) node.available.insert(static_cast<int>(i));
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

/// The ways to put `count` GPUs on a machine like node 0 that its wiring tells apart.
std::vector<Pattern> patterns(const fabric::Fabric& fabric, const Node& node, int count) {
  const fabric::Symmetry symmetry(fabric, 0);
  const fabric::Marks marks(fabric.devices().size(), 0);
  const auto sets = grow_sets(symmetry, marks, node.gpus, count);
  std::vector<Pattern> found;
  for (const GpuSet& set : sets.value_or(std::vector<GpuSet>{})) {
    Pattern& pattern = found.emplace_back();
    for (const DeviceId gpu : set) {
      const auto at = std::find(node.gpus.begin(), node.gpus.end(), gpu);
      pattern.push_back(static_cast<int>(at - node.gpus.begin()));
    }
  }
  return found;
}

bool fits(const Node& node, const Pattern& pattern) {
  return std::all_of(pattern.begin(), pattern.end(),
                     [&](int position) { return node.available.contains(position); });
}

/// One machine of each leaf switch in turn.
std::vector<std::size_t> spread(const std::vector<Node>& nodes,
                                const std::vector<std::size_t>& usable) {
  std::map<std::size_t, std::vector<std::size_t>> by_leaf;
  for (const std::size_t n : usable) by_leaf[nodes[n].leaf].push_back(n);
  std::vector<std::size_t> order;
  for (std::size_t turn = 0; order.size() < usable.size(); ++turn) {
    for (const auto& [leaf, members] : by_leaf) {
      if (turn < members.size()) order.push_back(members[turn]);
    }
  }
  return order;
}

GpuSet place(const std::vector<Node>& nodes, std::vector<std::size_t> chosen,
             const Pattern& pattern) {
  std::sort(chosen.begin(), chosen.end());
  GpuSet set;
  for (const std::size_t n : chosen) {
    for (const int position : pattern) {
      set.push_back(nodes[n].gpus[static_cast<std::size_t>(position)]);
    }
  }
  return set;
}

void add_pattern(const std::vector<Node>& nodes, const Pattern& pattern, std::size_t machines,
                 std::set<GpuSet>& found) {
  std::vector<std::size_t> usable;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (fits(nodes[n], pattern)) usable.push_back(n);
  }
  if (usable.size() < machines) return;
  for (std::vector<std::size_t> order : {usable, spread(nodes, usable)}) {
    order.resize(machines);
    found.insert(place(nodes, std::move(order), pattern));
  }
}

}  // namespace

std::optional<Placements> even_placements(const fabric::Fabric& fabric,
                                          std::span<const DeviceId> available,
                                          const PlacementRequest& request, Diagnostics& out) {
  const std::vector<Node> nodes = nodes_of(fabric, available);
  std::set<GpuSet> found;
  for (int each = 1; each <= static_cast<int>(nodes.front().gpus.size()); ++each) {
    if (request.count % each != 0) continue;
    const auto machines = static_cast<std::size_t>(request.count / each);
    if (machines > nodes.size()) continue;
    for (const Pattern& pattern : patterns(fabric, nodes.front(), each)) {
      add_pattern(nodes, pattern, machines, found);
    }
  }
  if (found.empty()) {
    out.error("no-even-placement", fabric.name(), "", 0,
              fmt::format("{} GPUs cannot be spread evenly over free machines", request.count),
              "ask for a multiple of the GPUs that every machine has free");
    return std::nullopt;
  }
  return Placements{{found.begin(), found.end()}, false};
}

}  // namespace heddle::run
