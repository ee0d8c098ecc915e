#include "sim/fabric/route_table.h"

#include <algorithm>
#include <array>

#include "sim/fabric/routing.h"

namespace heddle::fabric {
namespace {

constexpr std::uint32_t kNotAnEndpoint = DeviceId::kNone;
constexpr std::array kKinds = {RouteKind::kPeer, RouteKind::kHostStaged};

bool is_endpoint(const Device& device) {
  return device.kind == DeviceKind::kGpu || device.kind == DeviceKind::kCpu ||
         device.kind == DeviceKind::kNic;
}

std::vector<DeviceId> endpoints_of(const NodeParts& node, std::span<const Device> devices) {
  std::vector<DeviceId> found;
  for (const DeviceId id : node.members) {
    if (is_endpoint(devices[id.index()])) found.push_back(id);
  }
  return found;
}

}  // namespace

RouteTable::RouteTable(std::span<const Device> devices, std::span<const Link> links,
                       const NodeShapes& shapes)
    : position_(devices.size(), kNotAnEndpoint) {
  for (std::size_t n = 0; n < shapes.nodes().size(); ++n) {
    const NodeParts& node = shapes.nodes()[n];
    const auto shape = static_cast<std::size_t>(shapes.shape(static_cast<int>(n)));
    if (shape == shapes_.size()) shapes_.push_back(find_routes(devices, links, node));
    std::uint32_t position = 0;
    for (const DeviceId id : endpoints_of(node, devices)) position_[id.index()] = position++;
  }
}

RouteTable::Shape RouteTable::find_routes(std::span<const Device> devices,
                                          std::span<const Link> links, const NodeParts& node) {
  const std::vector<LinkId>& inner = node.inner_links;
  const std::vector<DeviceId> endpoints = endpoints_of(node, devices);
  const NodeRouter router({devices, links, node.members, inner});
  Shape shape;
  shape.endpoints = endpoints.size();
  for (const RouteKind kind : kKinds) {
    for (const DeviceId from : endpoints) {
      for (const Path& path : router.paths(from, endpoints, kind)) {
        shape.slices.push_back({static_cast<std::uint32_t>(shape.places.size()),
                                static_cast<std::uint32_t>(path.size())});
        for (const LinkId link : path) {
          const auto place = std::lower_bound(inner.begin(), inner.end(), link) - inner.begin();
          shape.places.push_back(static_cast<std::uint32_t>(place));
        }
      }
    }
  }
  return shape;
}

Route RouteTable::route(const NodeShapes& shapes, int node, DeviceId from, DeviceId to,
                        RouteKind kind) const {
  const std::size_t a = position_[from.index()];
  const std::size_t b = position_[to.index()];
  if (a == kNotAnEndpoint || b == kNotAnEndpoint) return {};
  const Shape& shape = shapes_[static_cast<std::size_t>(shapes.shape(node))];
  const std::size_t n = shape.endpoints;
  const Slice& slice = shape.slices[(static_cast<std::size_t>(kind) * n + a) * n + b];
  const NodeParts& parts = shapes.nodes()[static_cast<std::size_t>(node)];
  return {parts.inner_links, std::span(shape.places).subspan(slice.begin, slice.size)};
}

}  // namespace heddle::fabric
