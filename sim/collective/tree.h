#pragma once
// Trees for all-reduce: a chain inside each machine, double binary trees over the machines. Sums go
// up, results down, each tree with half the data.
//
//   bytes over a chain hop / S       1 each way (both trees; a member inside a chain sends 2)
//   bytes over a NIC, each way / S   d/2, d = the machine's neighbours in both trees, at most 4;
//                                    1 on two machines, where a ring needs 2(n-1)/n
//
// divided over the rings found, whose orders and NICs the chains take.

#include "sim/collective/algorithms.h"

namespace heddle::collective {

AlgorithmSpec tree_algorithm();

}  // namespace heddle::collective
