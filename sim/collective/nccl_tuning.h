#pragma once
// NCCL's own constants for one GPU architecture: what it searches rings with and what it estimates
// times with (NCCL src/graph/search.cc and tuning.cc). They choose; the fabric's CommParameters
// time. Values live in hw_models/nccl/*.json.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/types.h"

namespace heddle::collective {

/// One value per protocol.
using ProtocolLatency = std::array<Duration, 3>;

/// In-switch reduction; absent before Hopper.
struct NvlsTuning {
  Duration latency;
  double efficiency = 0;  // NCCL's own figure for the payload share of a head's rate
  int ctas = 0;           // CTAs a collective holds while it runs
};

struct NcclTuning {
  std::string name;                    // "hopper"
  std::vector<Bandwidth> ring_speeds;  // candidates for one ring inside a node, highest first
  // A ring at least `split_from` fast is split in two, but if slower than `split_always` only
  // while there are at most `split_rings_max` of them. Afterwards every ring is doubled.
  Bandwidth split_from;
  Bandwidth split_always;
  int split_rings_max = 0;
  int max_ctas = 0;

  ProtocolLatency ring_base{};
  ProtocolLatency ring_nvlink_hop{};
  ProtocolLatency ring_pcie_hop{};  // also for hops through host memory
  double ll_efficiency = 0;         // share of Simple's rate, flags and waits included
  double ll128_efficiency = 0;
  Bandwidth ll_bus_cap;         // bus bandwidth that LL does not exceed inside a node
  Bandwidth ll128_channel_cap;  // the same for LL128, per channel of the search
  std::optional<NvlsTuning> nvls;
};

inline Duration of(const ProtocolLatency& table, Protocol protocol) {
  return table[static_cast<std::size_t>(protocol)];
}

/// Share of Simple's rate that a protocol reaches on the same wires.
double protocol_efficiency(const NcclTuning& tuning, Protocol protocol);

/// Bus bandwidth the protocol cannot exceed however fast the wires are; none for Simple.
/// `channels` are those of the ring search, before doubling.
std::optional<Bandwidth> protocol_bus_cap(const NcclTuning& tuning, Protocol protocol,
                                          int channels);

}  // namespace heddle::collective
