#pragma once
// Point-to-point sends at once: all-to-all (every member sends S/n to every other) and nccl-tests'
// send/recv (member r sends S to r + 1).
//
//   bytes through a member's ports / S    all-to-all (n-1)/n     send/recv 1
//   bytes over a NIC / S, all-to-all      (n - g)/n * g / nics   g members, between machines
//
// Between machines a part leaves by the NIC of the same rail as the receiver's, reached over NVLink
// if it is not near (NCCL's PXN), so that rails do not cross.

#include "sim/collective/algorithms.h"

namespace heddle::collective {

AlgorithmSpec p2p_algorithm();

}  // namespace heddle::collective
