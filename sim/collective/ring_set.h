#pragma once
// The rings a communicator runs on, found once: packed inside each machine (ring_search.h), joined
// over the NICs. The k-th ring of the group is the k-th of every machine; the machine with the
// fewest, or slowest, sets their number and speed.

#include <cstddef>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/nccl_tuning.h"
#include "sim/collective/ring_graph.h"
#include "sim/collective/settings.h"
#include "sim/collective/wiring.h"

namespace heddle::collective {

struct RingSet {
  std::vector<Order> orders;               // each starts at member 0
  std::vector<std::vector<int>> ports;     // by ring and machine: the NIC it passes; empty without
  Transport transport = Transport::kSelf;  // of the worst hop
  Transport inside = Transport::kSelf;     // of the worst hop inside a machine
  fabric::PathType inter = fabric::PathType::kLocal;  // worst way from a GPU to its NIC
  bool crosses_socket = false;                        // some staged hop does
  int channels = 0;                                   // as NCCL's estimates count them
  int ctas = 0;                                       // held while a collective runs
  Bandwidth nominal_bus;                              // what NCCL believes; chooses, does not time
};

/// At least two members.
RingSet find_rings(const Wiring& wiring, const NcclTuning& tuning, const CommSettings& settings);

/// Rings of the same order and NICs: what crosses one crosses all of them.
struct Bundle {
  std::size_t ring = 0;  // the first
  int rings = 0;
};
std::vector<Bundle> bundles_of(const RingSet& set);

/// The NIC by which a ring leaves or enters a member's machine: its own, else the member's nearest.
int port_at(const Wiring& wiring, const RingSet& set, std::size_t ring, int position);

/// From the `at`-th member of a ring to the next.
Hop ring_hop(const Wiring& wiring, const RingSet& set, std::size_t ring, std::size_t at);

}  // namespace heddle::collective
