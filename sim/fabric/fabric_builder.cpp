#include "sim/fabric/fabric_builder.h"

#include <algorithm>
#include <utility>

#include "sim/fabric/fabric_check.h"

namespace heddle::fabric {

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

std::optional<Fabric> FabricBuilder::freeze(const std::string& source, Diagnostics& out) && {
  Fabric& f = fabric_;
  if (!check_fabric(f.devices_, f.links_, source, out)) return std::nullopt;
  f.out_links_.resize(f.devices_.size());
  for (std::size_t i = 0; i < f.links_.size(); ++i) {
    f.out_links_[f.links_[i].from.index()].emplace_back(i);
  }
  for (std::size_t i = 0; i < f.devices_.size(); ++i) {
    if (f.devices_[i].kind == DeviceKind::kGpu) f.gpus_.emplace_back(i);
    f.node_count_ = std::max(f.node_count_, f.devices_[i].node + 1);
  }
  std::sort(f.gpus_.begin(), f.gpus_.end(), [&f](DeviceId a, DeviceId b) {
    return std::pair(f.device(a).node, f.device(a).index) <
           std::pair(f.device(b).node, f.device(b).index);
  });
  f.routes_ = RouteTable(f.devices_, f.links_);
  return std::move(fabric_);
}

}  // namespace heddle::fabric
