#include "sim/fabric/node_shapes.h"

#include <algorithm>
#include <map>

namespace heddle::fabric {
namespace {

using Key = std::vector<std::int64_t>;

/// Place of a device in its machine; -1 outside.
std::int64_t place_of(const NodeParts& node, DeviceId id) {
  const auto at = std::lower_bound(node.members.begin(), node.members.end(), id);
  return at != node.members.end() && *at == id ? at - node.members.begin() : -1;
}

void add_links(const NodeParts& node, std::span<const LinkId> ids, std::span<const Link> links,
               Key& key) {
  key.push_back(static_cast<std::int64_t>(ids.size()));
  for (const LinkId id : ids) {
    const Link& link = links[id.index()];
    key.insert(key.end(), {place_of(node, link.from), place_of(node, link.to),
                           static_cast<std::int64_t>(link.kind), link.capacity.bytes_per_second,
                           link.latency.ps, link.lanes});
  }
}

/// Everything that makes two machines alike.
Key key_of(const NodeParts& node, std::span<const Device> devices, std::span<const Link> links) {
  Key key{static_cast<std::int64_t>(node.members.size())};
  for (const DeviceId id : node.members) {
    const Device& device = devices[id.index()];
    key.insert(key.end(), {static_cast<std::int64_t>(device.kind), device.socket, device.index});
  }
  add_links(node, node.inner_links, links, key);
  add_links(node, node.outer_links, links, key);
  return key;
}

}  // namespace

NodeShapes::NodeShapes(std::span<const Device> devices, std::span<const Link> links) {
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].node == kNoNode) continue;
    const auto node = static_cast<std::size_t>(devices[i].node);
    if (nodes_.size() <= node) nodes_.resize(node + 1);
    nodes_[node].members.emplace_back(i);
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    const int from = devices[links[i].from.index()].node;
    const int to = devices[links[i].to.index()].node;
    if (from == to && from != kNoNode) {
      nodes_[static_cast<std::size_t>(from)].inner_links.emplace_back(i);
      continue;
    }
    for (const int node : {from, to}) {
      if (node != kNoNode) nodes_[static_cast<std::size_t>(node)].outer_links.emplace_back(i);
    }
  }
  std::map<Key, int> known;
  for (const NodeParts& node : nodes_) {
    shape_.push_back(known.try_emplace(key_of(node, devices, links), static_cast<int>(known.size()))
                         .first->second);
  }
}

}  // namespace heddle::fabric
