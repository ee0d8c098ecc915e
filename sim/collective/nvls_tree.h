#pragma once
// In-switch reduction inside machines, double binary trees between them: each of the g members of a
// machine heads S/g, which the switch adds up in and multicasts from, and exchanges it with the
// heads of the same number over its own NIC.
//
//   bytes over a member's port, each way / S   1 + 1/g
//   bytes over its NIC, each way / S           d/(2g), d = the machine's neighbours in both trees

#include "sim/collective/algorithms.h"

namespace heddle::collective {

AlgorithmSpec nvls_tree_algorithm();

}  // namespace heddle::collective
