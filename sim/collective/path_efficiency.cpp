#include "sim/collective/path_efficiency.h"

#include <algorithm>

#include "sim/collective/host_staging.h"

namespace heddle::collective {
namespace {

bool knows_staging(const Group& group) {
  return rate_per_cta(group.comm().host_staging, group.rings.crosses_socket).bytes_per_second > 0;
}

}  // namespace

Efficiencies efficiencies(const Group& group, Protocol protocol) {
  const double share = protocol_efficiency(*group.tuning, protocol);
  const fabric::CommParameters& comm = group.comm();
  return {share * comm.ring_efficiency, share * comm.pcie_ring_efficiency, share,
          share * (comm.network ? comm.network->efficiency : 1)};
}

bool allows(const Group& group, Protocol protocol) {
  if (protocol != Protocol::kLl128) return true;
  if (group.rings.inside != Transport::kNvlink) return false;
  const bool through_peer = group.tuning->network.ll128_through_peer_nic;
  return group.rings.inter <= (through_peer ? fabric::PathType::kPxn : fabric::PathType::kPxb);
}

std::optional<Refusal> missing_parameter(const Group& group) {
  const std::string& name = group.wiring.fabric().name();
  if (group.rings.transport == Transport::kNetwork && group.comm().network->efficiency <= 0) {
    return Refusal{
        "no-network-efficiency",
        "a ring of this group goes over the network, whose efficiency " + name + " does not give",
        "choose GPUs of one machine, or name a network that gives it"};
  }
  if (group.rings.inside == Transport::kHostMemory && !knows_staging(group)) {
    return Refusal{
        "no-host-staging",
        "a ring of this group goes through host memory, whose rate " + name + " does not give",
        "choose GPUs joined by NVLink or PCIe peer-to-peer, or add host_staging to "
        "the node file"};
  }
  if (group.rings.inside == Transport::kPcie && group.comm().pcie_ring_efficiency <= 0) {
    return Refusal{
        "no-pcie-efficiency",
        "a ring of this group goes over PCIe, whose efficiency " + name + " does not give",
        "choose GPUs joined by NVLink, or add pcie_ring_efficiency to the node file"};
  }
  return std::nullopt;
}

std::optional<Bandwidth> socket_cap(const Group& group, Protocol protocol,
                                    std::span<const LinkUse> uses) {
  const auto& network = group.comm().network;
  if (!network || network->per_nic_cap.bytes_per_second <= 0) return std::nullopt;
  const fabric::Fabric& fabric = group.wiring.fabric();
  const auto is_nic = [&](fabric::DeviceId id) {
    return fabric.device(id).kind == fabric::DeviceKind::kNic;
  };
  std::int64_t most = 0;
  for (const LinkUse& use : uses) {
    const fabric::Link& link = fabric.link(use.link);
    if (link.kind != fabric::LinkKind::kNetwork) continue;
    if (is_nic(link.from) || is_nic(link.to)) most = std::max(most, use.bytes_ppb);
  }
  if (most == 0) return std::nullopt;
  return scale(payload_rate(network->per_nic_cap, {most, kPpb}),
               protocol_efficiency(*group.tuning, protocol));
}

}  // namespace heddle::collective
