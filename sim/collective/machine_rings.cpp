#include "sim/collective/machine_rings.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "sim/base/check.h"
#include "sim/collective/ring_order.h"

namespace heddle::collective {
namespace {

/// Shape of the machine and the numbers of its GPUs that take part, in order.
using Pattern = std::pair<int, std::vector<int>>;

Pattern pattern_of(const Wiring& wiring, int machine) {
  Pattern pattern{wiring.fabric().node_shape(wiring.node_of(machine)), {}};
  for (int position : wiring.members_of(machine)) {
    pattern.second.push_back(wiring.fabric().device(wiring.member(position)).index);
  }
  return pattern;
}

/// NVLink islands of more than one member.
int count_islands(const RingGraph& graph) {
  std::vector<bool> seen(static_cast<std::size_t>(graph.size()), false);
  int count = 0;
  for (int first = 0; first < graph.size(); ++first) {
    if (seen[static_cast<std::size_t>(first)]) continue;
    const std::vector<bool> island = island_of(graph, first, fabric::PathType::kNvb);
    std::transform(seen.begin(), seen.end(), island.begin(), seen.begin(), std::logical_or{});
    if (std::count(island.begin(), island.end(), true) > 1) ++count;
  }
  return count;
}

RingsFound search(const Wiring& wiring, const NcclTuning& tuning, int machine) {
  const RingGraph graph(wiring, machine);
  Order order;
  for (int position : locality_order(wiring, machine)) order.push_back(wiring.local(position));
  // NCCL's ncclTopoSplitNvLink: between two islands at least two rings.
  const int least = count_islands(graph) == 2 ? 2 : 1;
  const auto& speeds = wiring.machine_count() > 1 ? tuning.network.ring_speeds : tuning.ring_speeds;
  RingsFound found = search_rings(graph, order, speeds, least);
  if (found.rings.empty()) found = slowest_link_ring(graph, order);
  HEDDLE_CHECK(!found.rings.empty(), "a wiring without gaps holds a ring");
  return found;
}

}  // namespace

std::vector<RingsFound> search_machines(const Wiring& wiring, const NcclTuning& tuning) {
  std::map<Pattern, RingsFound> known;
  std::vector<RingsFound> found;
  for (int machine = 0; machine < wiring.machine_count(); ++machine) {
    const Pattern pattern = pattern_of(wiring, machine);
    auto at = known.find(pattern);
    if (at == known.end()) at = known.emplace(pattern, search(wiring, tuning, machine)).first;
    found.push_back(at->second);
  }
  return found;
}

}  // namespace heddle::collective
