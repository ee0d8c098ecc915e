#pragma once
// Loads of traffic between all pairs of NICs on a network whose ways are unique. Taking away a
// link that leads from a toward some fixed NIC z parts the NICs into those whose way to z uses it,
// X, and the rest; whatever goes from X to the rest crosses it. All ways lie on those to and from
// z, so two ways per NIC do for all pairs.

#include <cstdint>
#include <span>

#include "sim/collective/link_load.h"
#include "sim/fabric/fabric.h"

namespace heddle::collective {

/// A NIC; each of `senders` behind it sends one part to each of `receivers` behind all others.
struct NetworkEnd {
  fabric::DeviceId nic;
  std::int64_t senders = 0;
  std::int64_t receivers = 0;
};

/// Crossings of the network's links, one per part. Ends are distinct.
void cross_network_pairs(LinkLoad& load, const fabric::Fabric& fabric,
                         std::span<const NetworkEnd> ends);

}  // namespace heddle::collective
