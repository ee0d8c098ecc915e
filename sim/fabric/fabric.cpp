#include "sim/fabric/fabric.h"

#include <algorithm>

namespace heddle::fabric {

PathType Fabric::path_type(DeviceId from, DeviceId to) const {
  if (from == to) return PathType::kLocal;
  const std::span<const LinkId> path = route(from, to, RouteKind::kPeer);
  if (path.empty()) return PathType::kDisconnected;
  int pcie_switches = 0;
  bool crosses_host_bridge = false;
  for (const LinkId id : path) {
    if (link(id).kind == LinkKind::kNvlink) return PathType::kNvlink;
    if (link(id).kind == LinkKind::kCpuInterconnect) return PathType::kSys;
    if (link(id).kind == LinkKind::kNetwork) return PathType::kNet;
    const DeviceKind through = device(link(id).to).kind;
    if (through == DeviceKind::kPcieSwitch) ++pcie_switches;
    if (through == DeviceKind::kCpu) crosses_host_bridge = true;
  }
  if (crosses_host_bridge) return PathType::kPhb;
  return pcie_switches > 1 ? PathType::kPxb : PathType::kPix;
}

std::string Fabric::link_name(LinkId id) const {
  return device(link(id).from).name + " -> " + device(link(id).to).name;
}

}  // namespace heddle::fabric
