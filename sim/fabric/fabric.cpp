#include "sim/fabric/fabric.h"

#include <utility>

#include "sim/fabric/path_class.h"

namespace heddle::fabric {

Fabric Fabric::with_comm(const CommParameters& comm) && {
  comm_ = comm;
  return std::move(*this);
}

PathType Fabric::path_type(DeviceId from, DeviceId to) const {
  if (from == to) return PathType::kLocal;
  const int a = device(from).node;
  const int b = device(to).node;
  if (a != b) return reaches_by_network(a, b) ? PathType::kNet : PathType::kDisconnected;
  return classify_path(route(from, to, RouteKind::kPeer), devices_, links_);
}

bool Fabric::reaches_by_network(int from_node, int to_node) const {
  if (from_node == kNoNode || to_node == kNoNode) return false;
  for (const DeviceId a : node_nics(from_node)) {
    for (const DeviceId b : node_nics(to_node)) {
      if (network_.joins(a, b)) return true;
    }
  }
  return false;
}

std::string Fabric::link_name(LinkId id) const {
  return device(link(id).from).name + " -> " + device(link(id).to).name;
}

}  // namespace heddle::fabric
