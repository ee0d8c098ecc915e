#pragma once
// Rings: every rank forwards to its successor, in every ring at once, each ring carrying an equal
// part of the payload.
//
//   bytes over a hop / S   all-reduce 2(n-1)/n, gather and scatter (n-1)/n, broadcast and reduce 1
//                          (pipelined, from or to member 0 over n - 1 hops)

#include "sim/collective/algorithms.h"

namespace heddle::collective {

AlgorithmSpec ring_algorithm();

/// Of the payload, over one hop of a single ring.
Share ring_hop_share(schedule::CollectiveKind kind, int ranks);

}  // namespace heddle::collective
