#include "sim/fabric/route_table.h"

#include <algorithm>
#include <array>

#include "sim/fabric/routing.h"

namespace heddle::fabric {
namespace {

constexpr std::uint32_t kNotAnEndpoint = DeviceId::kNone;
constexpr std::array kKinds = {RouteKind::kPeer, RouteKind::kHostStaged};

bool is_endpoint(DeviceKind kind) {
  return kind == DeviceKind::kGpu || kind == DeviceKind::kCpu || kind == DeviceKind::kNic;
}

}  // namespace

RouteTable::RouteTable(std::span<const Device> devices, std::span<const Link> links)
    : position_(devices.size(), kNotAnEndpoint) {
  std::vector<std::vector<DeviceId>> members;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto node = static_cast<std::size_t>(devices[i].node);
    if (members.size() <= node) members.resize(node + 1);
    members[node].emplace_back(i);
    node_of_.push_back(node);
  }
  std::vector<std::vector<LinkId>> inner(members.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    const std::size_t node = node_of_[links[i].from.index()];
    if (node == node_of_[links[i].to.index()]) inner[node].emplace_back(i);
  }
  for (std::size_t n = 0; n < members.size(); ++n) add_node({devices, links, members[n], inner[n]});
}

void RouteTable::add_node(const NodeView& view) {
  Node node;
  node.first_slice = slices_.size();
  for (const DeviceId id : view.members) {
    if (!is_endpoint(view.devices[id.index()].kind)) continue;
    position_[id.index()] = static_cast<std::uint32_t>(node.endpoints.size());
    node.endpoints.push_back(id);
  }
  const NodeRouter router(view);
  for (const RouteKind kind : kKinds) {
    for (const DeviceId from : node.endpoints) {
      for (const Path& path : router.paths(from, node.endpoints, kind)) {
        slices_.push_back({pool_.size(), path.size()});
        pool_.insert(pool_.end(), path.begin(), path.end());
      }
    }
  }
  nodes_.push_back(std::move(node));
}

std::span<const LinkId> RouteTable::route(DeviceId from, DeviceId to, RouteKind kind) const {
  const std::size_t a = position_[from.index()];
  const std::size_t b = position_[to.index()];
  if (a == kNotAnEndpoint || b == kNotAnEndpoint) return {};
  if (node_of_[from.index()] != node_of_[to.index()]) return {};
  const Node& node = nodes_[node_of_[from.index()]];
  const std::size_t n = node.endpoints.size();
  const Slice& slice = slices_[node.first_slice + (static_cast<std::size_t>(kind) * n + a) * n + b];
  return std::span(pool_).subspan(slice.begin, slice.size);
}

}  // namespace heddle::fabric
