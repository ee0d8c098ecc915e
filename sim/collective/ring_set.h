#pragma once
// The rings a communicator runs on, found once: packed on NVLink where all hops can stay on it,
// otherwise one order by locality whose slow hops go over PCIe or through host memory.

#include <vector>

#include "sim/base/units.h"
#include "sim/collective/nccl_tuning.h"
#include "sim/collective/ring_graph.h"
#include "sim/collective/wiring.h"

namespace heddle::collective {

struct RingSet {
  std::vector<Order> orders;               // each starts at member 0
  Transport transport = Transport::kSelf;  // of the worst hop
  bool crosses_socket = false;             // some staged hop does
  int channels = 0;                        // as NCCL's estimates count them
  int ctas = 0;                            // held while a collective runs
  Bandwidth nominal_bus;                   // what NCCL believes; chooses, does not time
};

/// At least two members. Through host memory, `ctas` and the nominal rate are those of the
/// fabric's HostStaging (0 where it is unknown).
RingSet find_rings(const Wiring& wiring, const NcclTuning& tuning);

}  // namespace heddle::collective
