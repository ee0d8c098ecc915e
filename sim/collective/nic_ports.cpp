#include "sim/collective/nic_ports.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace heddle::collective {
namespace {

using fabric::DeviceId;
using fabric::PathType;

struct Way {
  DeviceId nic;
  PathType path = PathType::kDisconnected;
  Bandwidth width;
};

/// The NIC's own port included.
Way way_to(const fabric::Fabric& fabric, DeviceId gpu, DeviceId nic) {
  Way way{nic, fabric.path_type(gpu, nic), {}};
  const auto narrow = [&](fabric::LinkId id) {
    const Bandwidth capacity = fabric.link(id).capacity;
    if (way.width == Bandwidth{} || capacity < way.width) way.width = capacity;
  };
  const auto route = fabric.route(gpu, nic, fabric::RouteKind::kPeer);
  if (route.empty()) return way;
  std::for_each(route.begin(), route.end(), narrow);
  for (fabric::LinkId id : fabric.out_links(nic)) {
    if (fabric.link(id).kind == fabric::LinkKind::kNetwork) narrow(id);
  }
  return way;
}

std::vector<Way> best_ways(const fabric::Fabric& fabric, DeviceId gpu,
                           std::span<const DeviceId> nics, std::size_t local) {
  std::vector<Way> best;
  for (DeviceId nic : nics) {
    const Way way = way_to(fabric, gpu, nic);
    if (way.width == Bandwidth{}) continue;
    if (!best.empty()) {
      const Way& held = best.front();
      if (way.width < held.width || (way.width == held.width && way.path > held.path)) continue;
      if (way.width > held.width || way.path < held.path) best.clear();
    }
    best.push_back(way);
  }
  if (best.empty()) return best;
  const auto own = static_cast<std::ptrdiff_t>(local % best.size());
  std::rotate(best.begin(), best.begin() + own, best.end());
  return best;
}

}  // namespace

std::vector<NicPort> choose_nics(const fabric::Fabric& fabric, std::span<const int> positions,
                                 std::span<const DeviceId> gpus, std::span<const DeviceId> nics) {
  std::vector<std::vector<Way>> ways;
  std::size_t most = 0;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    ways.push_back(best_ways(fabric, gpus[i], nics, i));
    most = std::max(most, ways.back().size());
  }
  // Everyone's first choice before anyone's second: GPUs that share a switch with as many NICs are
  // the gateway of one each.
  std::vector<NicPort> found;
  for (std::size_t choice = 0; choice < most; ++choice) {
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      if (choice >= ways[i].size()) continue;
      found.push_back({ways[i][choice].nic, positions[i], ways[i][choice].path});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const NicPort& a, const NicPort& b) { return a.path < b.path; });
  std::set<DeviceId> seen;
  std::erase_if(found, [&](const NicPort& port) { return !seen.insert(port.nic).second; });
  return found;
}

int nearest_port(const fabric::Fabric& fabric, DeviceId gpu, std::size_t local,
                 std::span<const NicPort> ports) {
  std::vector<DeviceId> nics;
  for (const NicPort& port : ports) nics.push_back(port.nic);
  const std::vector<Way> best = best_ways(fabric, gpu, nics, local);
  if (best.empty()) return 0;
  const auto found = std::find(nics.begin(), nics.end(), best.front().nic);
  return static_cast<int>(found - nics.begin());
}

}  // namespace heddle::collective
