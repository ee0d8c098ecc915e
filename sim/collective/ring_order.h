#pragma once
// The order of a ring that cannot stay on NVLink: near members side by side, so that the slow hops
// are few. Groups are nested: NVLink islands inside PCIe peers inside sockets.

#include "sim/collective/ring_graph.h"
#include "sim/collective/wiring.h"

namespace heddle::collective {

/// The members of one machine, as positions: starts at its first and keeps the given order among
/// equals. Inside an island consecutive members have NVLink between them where a bounded search
/// finds such a walk.
Order locality_order(const Wiring& wiring, int machine);

}  // namespace heddle::collective
