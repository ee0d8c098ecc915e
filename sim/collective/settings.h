#pragma once
// What a user may force, named after NCCL's variables. Unset: NCCL's own rule.

#include <optional>

#include "sim/collective/types.h"
#include "sim/fabric/device.h"

namespace heddle::collective {

/// How the ranks of a communicator are strung on a ring. kRank is what libraries without a topology
/// search do (Gloo, MPI): rank r sends to rank r + 1, wherever it runs.
enum class RingOrder { kNccl, kRank };

struct CommSettings {
  bool p2p = true;                            // false: NCCL_P2P_DISABLE=1, stage through the host
  std::optional<fabric::PathType> p2p_level;  // NCCL_P2P_LEVEL: worst path peer-to-peer may use
  bool shm = true;                            // false: NCCL_SHM_DISABLE=1
  bool nvls = true;                           // false: NCCL_NVLS_ENABLE=0
  std::optional<Algorithm> algorithm;         // NCCL_ALGO; kinds it does not run keep NCCL's choice
  std::optional<Protocol> protocol;           // NCCL_PROTO
  std::optional<int> min_ctas;                // NCCL_MIN_CTAS
  std::optional<int> max_ctas;                // NCCL_MAX_CTAS
  RingOrder ring_order = RingOrder::kNccl;

  friend bool operator==(const CommSettings&, const CommSettings&) = default;
};

}  // namespace heddle::collective
