#pragma once
// How long a collective takes on a fabric and what it occupies while it runs.
//
// For one communicator (an ordered list of GPUs) the model finds what NCCL would find: NVLink
// rings packed on the real links, in-switch reduction where the node has it, or staging through
// host memory. Every candidate (algorithm, protocol) is T = L + S / A; the smallest NCCL-like
// estimate is chosen (NCCL's own nominal figures choose; calibrated figures time). In steady state
// a collective is ONE coupled activity using several links at once:
//
//   busy bytes on link l = weight_l * payload,   rate <= rate_cap,   T = L + payload / rate
//
// With nothing else on its links, the closed form and the fluid solution are the same number.
// Equations, sources and domain of validity: README.md beside this file.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/base/units.h"
#include "sim/fabric/fabric.h"
#include "sim/schedule/schedule.h"

namespace heddle::collective {

enum class Algorithm { kRing, kNvls };
std::string_view to_string(Algorithm algorithm);
enum class Protocol { kLl, kLl128, kSimple };
std::string_view to_string(Protocol protocol);
enum class Transport { kNvlink, kPcie, kHostMemory, kSelf };
std::string_view to_string(Transport transport);

/// Link weights are exact: parts per billion of the payload that cross the link, efficiency
/// included (occupancy), and without it (true bytes, for link-load reports).
struct LinkUse {
  fabric::LinkId link;
  std::int64_t occupancy_ppb = 0;
  std::int64_t bytes_ppb = 0;
};

inline constexpr std::int64_t kPpb = 1'000'000'000;

/// What one collective call does to the machine.
struct CollectiveCost {
  Algorithm algorithm = Algorithm::kRing;
  Protocol protocol = Protocol::kSimple;
  Transport transport = Transport::kNvlink;
  int channels = 0;                             // CTAs held while it runs
  Duration latency;                             // before and besides the transfer
  Bytes payload;                                // what the rate applies to (nccl-tests' size)
  std::span<const LinkUse> uses;                // owned by the CollectiveModel
  Bandwidth rate_cap;                           // CTA or protocol limit on the payload rate
  Bandwidth rate;                               // payload rate with its links to itself
  Duration total;                               // closed form: latency + payload / rate
  std::optional<fabric::LinkId> limiting_link;  // none: rate_cap limits
};

struct CollectiveRequest {
  schedule::CollectiveKind kind = schedule::CollectiveKind::kAllReduce;
  Bytes bytes;  // nccl-tests' size, see schedule::Collective
};

/// Scenario settings, named after NCCL's variables. Unset: NCCL's own rule.
struct CommSettings {
  bool p2p = true;                     // false: NCCL_P2P_DISABLE=1, stage through host memory
  std::optional<Algorithm> algorithm;  // NCCL_ALGO
};

/// One communicator on one fabric. Thread-compatible; holds the rings and link weights it found.
class CollectiveModel {
 public:
  /// Refuses (diagnostic, nullopt) groups with no path between two members, duplicate members or
  /// a wiring that is not modelled. A single member is fine: its collectives take no time.
  static std::optional<CollectiveModel> create(const fabric::Fabric& fabric,
                                               std::vector<fabric::DeviceId> members,
                                               const CommSettings& settings, Diagnostics& out);

  CollectiveCost cost(const CollectiveRequest& request) const;
  /// nccl-tests' bus bandwidth for a time: factor 2(n-1)/n for all-reduce, (n-1)/n for gather and
  /// scatter, 1 for broadcast.
  static double bus_factor(schedule::CollectiveKind kind, int ranks);

  int size() const { return static_cast<int>(members_.size()); }
  /// Rings found, as member positions in order, for `heddle explain`.
  std::span<const std::vector<int>> rings() const;

 private:
  CollectiveModel() = default;
  std::vector<fabric::DeviceId> members_;
  // the implementing helper adds what it needs here
};

}  // namespace heddle::collective
