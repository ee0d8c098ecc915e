#pragma once
// The NICs a job uses on a machine, as NCCL chooses them (src/graph/search.cc, ncclTopoSelectNets):
// for each member the widest way to a NIC, among those the nearest; nearer kinds of path first,
// members in order, a member that ties several starting at the one with its own number among the
// members of its machine (NCCL takes the GPU's; so labels do not matter). Each NIC once.

#include <cstddef>
#include <span>
#include <vector>

#include "sim/fabric/fabric.h"

namespace heddle::collective {

/// A NIC and the member that its rings enter and leave through: one of the nearest.
struct NicPort {
  fabric::DeviceId nic;
  int gateway = 0;  // position in the communicator
  fabric::PathType path = fabric::PathType::kDisconnected;
};

/// `positions` of the members of one machine, `gpus` their devices.
std::vector<NicPort> choose_nics(const fabric::Fabric& fabric, std::span<const int> positions,
                                 std::span<const fabric::DeviceId> gpus,
                                 std::span<const fabric::DeviceId> nics);

/// Index of the port that the sends of the `local`-th member use: the best way from its GPU.
int nearest_port(const fabric::Fabric& fabric, fabric::DeviceId gpu, std::size_t local,
                 std::span<const NicPort> ports);

}  // namespace heddle::collective
