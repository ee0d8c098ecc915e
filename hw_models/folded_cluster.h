#pragma once
// How few machines stand for a cluster of many that are alike.
//
// Collectives over all machines load a machine's links by where it is in its pod and in NCCL's
// double binary trees, both of which repeat: a cluster of n machines has the same kinds of places
// as one of
//
//   m = n mod p + k p,   p = lcm(64, machines of a pod),   k p >= 128
//
// machines. Every kind of machine and of cable is there, the busiest of each included; counts come
// from n (Fabric::represented_nodes()). Tests compare folded with whole clusters.

#include "hw_models/network_reader.h"

namespace heddle::hw_models {

/// m, or n if that is not fewer.
int folded_machines(const NetworkModel& network, int nodes);

}  // namespace heddle::hw_models
