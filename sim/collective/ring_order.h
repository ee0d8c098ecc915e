#pragma once
// The order of a ring that cannot stay on NVLink: near members side by side, so that the slow hops
// are few. Groups are nested: NVLink islands inside PCIe peers inside sockets.

#include "sim/collective/ring_graph.h"
#include "sim/collective/wiring.h"

namespace heddle::collective {

/// Starts at member 0 and keeps the given order among equals. Inside an island consecutive members
/// have NVLink between them where such a walk exists and the island has at most kMaxOrderSearch
/// members.
Order locality_order(const Wiring& wiring);

}  // namespace heddle::collective
