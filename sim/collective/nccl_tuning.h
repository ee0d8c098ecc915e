#pragma once
// NCCL's own constants for one GPU architecture and a range of NCCL versions: what it searches
// rings with and what it estimates times with (NCCL src/graph/search.cc and tuning.cc). They
// choose; the fabric's CommParameters time. Values live in hw_models/nccl/VERSION/*.json.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/nccl_version.h"
#include "sim/collective/types.h"

namespace heddle::collective {

/// One value per protocol.
template <typename T>
using PerProtocol = std::array<T, 3>;
using ProtocolLatency = PerProtocol<Duration>;

/// One value by the number of machines a group spans: one, two, more.
template <typename T>
using PerScale = std::array<T, 3>;

template <typename T>
const T& at_scale(const PerScale<T>& table, int machines) {
  return table[static_cast<std::size_t>(std::clamp(machines, 1, 3) - 1)];
}

template <typename T>
const T& of(const PerProtocol<T>& table, Protocol protocol) {
  return table[static_cast<std::size_t>(protocol)];
}

/// Message sizes from 64 B in powers of two.
inline constexpr std::size_t kSizeClasses = 23;
using PerSize = std::array<double, kSizeClasses>;

/// A share by message size, that of the largest power of two in it; 1 for sizes beyond the table.
double at_size(const PerSize& table, Bytes payload);

/// All-reduce over trees.
struct TreeTuning {
  ProtocolLatency base{};
  ProtocolLatency nvlink_hop{};
  ProtocolLatency pcie_hop{};
  ProtocolLatency network_hop{};
  double efficiency = 0;  // share of the rings' bus bandwidth
  PerScale<Bandwidth> channel_cap{};
  PerScale<Bandwidth> ll128_channel_cap{};
  double ll_efficiency = 0;           // share of Simple's rate
  double ll128_share_inside = 0;      // the same, one machine
  double ll128_share_across = 0;      // the same, several machines
  double plain_share = 1;             // of the rate where all NIC traffic of a machine enters by
                                      // one GPU, which is all that Hopper and later search for
  PerProtocol<PerSize> size_share{};  // of the rate, by message size
};

/// In-switch reduction; absent before Hopper.
struct NvlsTuning {
  Duration latency;
  double efficiency = 0;  // NCCL's own figure for the payload share of a head's rate
  int ctas = 0;           // CTAs a collective holds while it runs
  /// Before 2.27: the payload rate NCCL believes in as a share of heads x speed, whatever n.
  std::optional<double> payload_share = std::nullopt;
};

/// In-switch reduction inside machines, trees between them.
struct NvlsTreeTuning {
  Duration latency;
  Duration network_hop;
  double speed_share_two = 1;         // of the rings' speed between two machines
  double speed_share_more = 1;        // between more
  PerScale<Bandwidth> channel_cap{};  // zero: none
};

/// Parallel aggregated trees: gather and scatter with one GPU per machine.
struct PatTuning {
  Duration base;
  Duration network_hop;  // per doubling of the machines
  Duration per_rank;
  double efficiency = 0;
};

/// Between machines.
struct NetworkTuning {
  std::vector<Bandwidth> ring_speeds;  // candidates for one ring, highest first
  ProtocolLatency ring_hop{};
  PerScale<Bandwidth> ll_bus_cap_intel{};  // bus bandwidth LL does not exceed, by the host's CPU
  PerScale<Bandwidth> ll_bus_cap_amd{};
  Duration post_intel;  // per step, the CPU's work to post to a NIC; thrice for Simple
  Duration post_amd;
  double large_ring_factor = 1;         // on the latency of Simple rings across machines ...
  Bytes large_ring_from;                // ... from this payload per channel and rank on
  bool ll128_through_peer_nic = false;  // LL128 also where the NIC hangs off another GPU (PXN)
};

/// How steps of one path class are timed, beside what NCCL believes of them. A message in flight
/// is cut into chunks; chunks of duration d cost sync per chunk and fill the pipeline once, and the
/// best d gives, with x = payload / rate,
///
///   T = latency + x + 2 sqrt(sync min(x, sync_until))
///
/// since chunks stop growing at sync_until.
struct PathTiming {
  PerProtocol<double> latency_factor{1, 1, 1};  // measured / nominal time of a hop
  Duration sync;
  Duration sync_until;
};

/// What times, where the other constants choose. Calibrated per architecture, never per record.
struct TimingTuning {
  double base_factor = 1;  // measured / nominal base latency
  PathTiming nvlink;
  PathTiming nvls;
  PathTiming pcie;  // also through host memory
  PathTiming network;
};

struct NcclTuning {
  std::string name;  // "hopper"
  NcclVersionRange versions;
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
  std::optional<NvlsTreeTuning> nvls_tree;
  std::optional<PatTuning> pat;
  TreeTuning tree;
  NetworkTuning network;
  TimingTuning timing;
};

/// Share of Simple's rate that a protocol reaches on the same wires.
double protocol_efficiency(const NcclTuning& tuning, Protocol protocol);

/// Bus bandwidth the protocol cannot exceed however fast the wires are; none for Simple.
/// `channels` are those of the ring search, before doubling. Between machines LL depends on the
/// host's CPU, which is taken to be Intel's.
std::optional<Bandwidth> protocol_bus_cap(const NcclTuning& tuning, Protocol protocol, int channels,
                                          int machines);

/// That of LL.
Bandwidth ll_bus_cap(const NcclTuning& tuning, int machines);

}  // namespace heddle::collective
