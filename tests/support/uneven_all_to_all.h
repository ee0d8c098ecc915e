#pragma once
// The workload A2A-J(n): every rank sends to each other one at time zero, over an up and a down
// link of 400 GB/s each, shares of 64 MiB / n scaled by fixed factors in [0.5, 1.5).

#include <cstdint>

#include "sim/engine/flow_set.h"

namespace heddle::test {

/// Successive factors in [0.5, 1.5), the same everywhere: a 64-bit linear congruential generator
/// (Knuth's constants), its upper 53 bits.
class UnevenShares {
 public:
  double next();

 private:
  std::uint64_t state_ = 1;
};

struct AllToAllRun {
  SimTime end;  // without latency
  std::uint64_t flows = 0;
  std::uint64_t moments = 0;  // at which flows ended
};

AllToAllRun run_uneven_all_to_all(std::uint32_t ranks);

}  // namespace heddle::test
