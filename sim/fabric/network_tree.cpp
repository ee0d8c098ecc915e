#include "sim/fabric/network_tree.h"

#include <algorithm>

namespace heddle::fabric {

NetworkTree::NetworkTree(std::span<const Device> devices, std::span<const Link> links)
    : vertices_(devices.size()) {
  std::vector<std::vector<LinkId>> leaving(devices.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].kind == LinkKind::kNetwork) leaving[links[i].from.index()].emplace_back(i);
  }
  // Highest ids first: builders add switches after machines and spines after leaves, so that trees
  // are rooted near the top. Any root gives the same routes.
  for (std::size_t i = devices.size(); i-- > 0;) {
    if (leaving[i].empty() || vertices_[i].root.valid()) continue;
    std::vector<DeviceId> open = {DeviceId(i)};
    vertices_[i].root = DeviceId(i);
    for (std::size_t next = 0; next < open.size(); ++next) {
      const DeviceId here = open[next];
      for (const LinkId down : leaving[here.index()]) {
        const DeviceId child = links[down.index()].to;
        if (child == at(here).parent) {
          vertices_[here.index()].up = down;
          continue;
        }
        vertices_[child.index()] = {DeviceId(i), here, {}, down, at(here).depth + 1};
        open.push_back(child);
      }
    }
  }
}

std::vector<LinkId> NetworkTree::route(DeviceId from, DeviceId to) const {
  std::vector<LinkId> path;
  if (from == to || !joins(from, to)) return path;
  std::vector<LinkId> descent;  // backwards
  while (from != to) {
    if (at(from).depth >= at(to).depth) {
      path.push_back(at(from).up);
      from = at(from).parent;
    } else {
      descent.push_back(at(to).down);
      to = at(to).parent;
    }
  }
  path.insert(path.end(), descent.rbegin(), descent.rend());
  return path;
}

bool NetworkTree::joins(DeviceId from, DeviceId to) const {
  return at(from).root.valid() && at(from).root == at(to).root;
}

}  // namespace heddle::fabric
