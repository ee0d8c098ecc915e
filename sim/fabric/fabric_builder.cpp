#include "sim/fabric/fabric_builder.h"

#include <algorithm>
#include <utility>

#include "sim/fabric/fabric_check.h"

namespace heddle::fabric {
namespace {

NodeDevices by_node(DeviceKind kind, std::span<const Device> devices,
                    std::span<const NodeParts> nodes) {
  NodeDevices found;
  found.begin.push_back(0);
  for (const NodeParts& node : nodes) {
    const auto first = static_cast<std::ptrdiff_t>(found.all.size());
    for (const DeviceId id : node.members) {
      if (devices[id.index()].kind == kind) found.all.push_back(id);
    }
    std::sort(found.all.begin() + first, found.all.end(), [devices](DeviceId a, DeviceId b) {
      return std::pair(devices[a.index()].index, a) < std::pair(devices[b.index()].index, b);
    });
    found.begin.push_back(found.all.size());
  }
  return found;
}

}  // namespace

FabricBuilder::FabricBuilder(std::string name, std::string gpu_model) {
  fabric_.name_ = std::move(name);
  fabric_.gpu_model_ = std::move(gpu_model);
}

DeviceId FabricBuilder::add_device(Device device) {
  fabric_.devices_.push_back(std::move(device));
  return DeviceId(fabric_.devices_.size() - 1);
}

LinkId FabricBuilder::add_link(const Link& link) {
  fabric_.links_.push_back(link);
  return LinkId(fabric_.links_.size() - 1);
}

LinkId FabricBuilder::add_duplex(const Link& link) {
  const LinkId forward = add_link(link);
  Link back = link;
  std::swap(back.from, back.to);
  add_link(back);
  return forward;
}

void FabricBuilder::set_comm(const CommParameters& comm) {
  fabric_.comm_ = comm;
}

void FabricBuilder::set_represented_nodes(int nodes) {
  fabric_.represented_nodes_ = nodes;
}

std::optional<Fabric> FabricBuilder::freeze(const std::string& source, Diagnostics& out) && {
  Fabric& f = fabric_;
  if (!check_fabric(f.devices_, f.links_, source, out)) return std::nullopt;
  f.out_links_.resize(f.devices_.size());
  for (std::size_t i = 0; i < f.links_.size(); ++i) {
    f.out_links_[f.links_[i].from.index()].emplace_back(i);
  }
  f.shapes_ = NodeShapes(f.devices_, f.links_);
  f.gpus_ = by_node(DeviceKind::kGpu, f.devices_, f.shapes_.nodes());
  f.nics_ = by_node(DeviceKind::kNic, f.devices_, f.shapes_.nodes());
  f.routes_ = RouteTable(f.devices_, f.links_, f.shapes_);
  f.network_ = NetworkTree(f.devices_, f.links_);
  return std::move(fabric_);
}

}  // namespace heddle::fabric
