#pragma once
// In-switch reduction (NVLink SHARP): the switch adds the members' data and multicasts the sum.
//
//   bytes over a head's port, each way = (1 + 1/h) S: its own contribution, and one chunk in h read
//   and written again by the member that heads it; h = min(n, 32) heads.
//
// All-reduce only: NCCL runs gather and scatter on rings by default.

#include "sim/collective/algorithms.h"

namespace heddle::collective {

AlgorithmSpec nvls_algorithm();

}  // namespace heddle::collective
