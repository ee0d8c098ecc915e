#pragma once
// Parallel aggregated trees: gather and scatter with one GPU per machine. Every rank's part goes
// down a binomial tree of its own, all trees shifted copies of each other, the widest steps first:
//
//   parts sent by a rank over distance 2^k   floor((N - 1 - 2^k) / 2^(k+1)) + 1   while 2^k < N
//
// N - 1 in all, so each NIC carries (N-1)/N S each way, as a ring's, in log2 N instead of N - 1
// steps. A scatter is the same backwards.

#include "sim/collective/algorithms.h"

namespace heddle::collective {

AlgorithmSpec pat_algorithm();

/// Parts that every rank sends over a distance, a power of two.
int parts_over(int distance, int ranks);

}  // namespace heddle::collective
