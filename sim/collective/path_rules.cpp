#include "sim/collective/path_rules.h"

namespace heddle::collective {
namespace {

using fabric::PathType;

constexpr Bandwidth kSlowestPcie{3'000'000'000};  // Gen1 x16

bool may_use_peer(PathType path, const CommSettings& settings) {
  return settings.p2p && path <= settings.p2p_level.value_or(PathType::kPxb);
}

template <typename Route>
std::vector<fabric::LinkId> copy(const Route& route) {
  return {route.begin(), route.end()};
}

}  // namespace

Hop local_hop(const fabric::Fabric& fabric, fabric::DeviceId from, fabric::DeviceId to,
              const CommSettings& settings) {
  Hop hop;
  hop.path = fabric.path_type(from, to);
  hop.crosses_socket = fabric.device(from).socket != fabric.device(to).socket;
  if (may_use_peer(hop.path, settings)) {
    hop.transport = hop.path <= PathType::kC2c ? Transport::kNvlink : Transport::kPcie;
    hop.links = copy(fabric.route(from, to, fabric::RouteKind::kPeer));
  } else {
    hop.transport = Transport::kHostMemory;
    hop.path = hop.crosses_socket ? PathType::kSys : PathType::kPhb;
    hop.links = copy(fabric.route(from, to, fabric::RouteKind::kHostStaged));
  }
  return hop;
}

bool reaches_directly(PathType gpu_to_nic) {
  return gpu_to_nic <= PathType::kP2c;
}

Bandwidth believed_capacity(const fabric::Link& link) {
  if (link.kind != fabric::LinkKind::kPcie) return link.capacity;
  Bandwidth believed = kSlowestPcie;
  if (link.capacity < believed) return link.capacity;
  while (believed * 2 <= link.capacity) believed = believed * 2;
  return believed;
}

}  // namespace heddle::collective
