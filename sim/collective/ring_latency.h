#pragma once
// Time a ring's steps cost besides the transfer, as NCCL counts it (src/graph/tuning.cc):
//
//   L = base + (k - k_net) max(hop, post) + k_net net
//
//   k      2(n-1) all-reduce, n-1 gather and scatter, n broadcast and reduce
//   k_net  2(N-1) all-reduce, else N-1: steps between the N machines
//   post   the CPU's work for a NIC, thrice for Simple; only with several machines
//   net    NCCL's figure (that of trees with one GPU per machine) and the network's own latency,
//          twice for Simple, which flushes
//
// NCCL takes large_ring_factor of it for large all-reduces over Simple across machines (Believed).

#include "sim/collective/group.h"
#include "sim/collective/latency.h"
#include "sim/schedule/schedule.h"

namespace heddle::collective {

/// A broadcast or reduction is one chain through all members, from or to member 0, instead of a
/// closed ring.
bool is_chain(schedule::CollectiveKind kind);

/// The worst hop inside a machine, one over a NIC and back included.
Duration inner_hop(const Group& group, Protocol protocol);

Latency ring_latency(const Group& group, schedule::CollectiveKind kind, Protocol protocol);

}  // namespace heddle::collective
