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

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/diagnostics.h"
#include "sim/base/units.h"
#include "sim/collective/nccl_tuning.h"
#include "sim/collective/refusal.h"
#include "sim/collective/settings.h"
#include "sim/collective/types.h"
#include "sim/fabric/fabric.h"
#include "sim/schedule/schedule.h"

namespace heddle::collective {

/// What one collective call does to the machine. Without bytes, or with a single member, it does
/// nothing: payload, rate and times are zero and there are no uses.
struct CollectiveCost {
  Algorithm algorithm = Algorithm::kRing;
  Protocol protocol = Protocol::kSimple;
  Transport transport = Transport::kNvlink;
  int channels = 0;                             // CTAs held while it runs
  Duration latency;                             // before and besides the transfer
  Bytes payload;                                // what the rate applies to (nccl-tests' size)
  std::span<const LinkUse> uses;                // owned by the CollectiveModel
  Bandwidth rate_cap;                           // CTA or protocol limit, or the lone rate if lower
  Bandwidth rate;                               // payload rate with its links to itself
  Duration total;                               // closed form: latency + payload / rate
  std::optional<fabric::LinkId> limiting_link;  // none: the CTA or protocol limit
};

/// One way the group could run a collective of some size.
struct CollectiveChoice {
  Algorithm algorithm = Algorithm::kRing;
  Protocol protocol = Protocol::kSimple;
  int channels = 0;                             // CTAs held while it runs
  Duration estimate;                            // NCCL's, which chooses
  Duration time;                                // the model's, with the links to itself
  Bandwidth rate;                               // payload rate behind `time`
  std::optional<fabric::LinkId> limiting_link;  // none: the CTA or protocol limit
  bool is_chosen = false;
};

/// What NCCL's search found, for `heddle explain`.
struct RingFacts {
  int channels = 0;                        // of the search, before doubling
  int ctas = 0;                            // held by a large message
  Bandwidth nominal_bus;                   // bus bandwidth NCCL believes the rings have together
  Transport transport = Transport::kSelf;  // of the worst hop
};

struct CollectiveRequest {
  schedule::CollectiveKind kind = schedule::CollectiveKind::kAllReduce;
  Bytes bytes;  // nccl-tests' size, see schedule::Collective
};

/// One communicator on one fabric. Immutable after create(); copies share what it found.
class CollectiveModel {
 public:
  /// Refuses (diagnostics with the fabric's name as file, nullopt) duplicate members, groups with
  /// no path between two members, a wiring that is not modelled, and settings that nothing can
  /// run. A single member is fine: its collectives take no time. Keeps no reference to `fabric`
  /// or `tuning`.
  static std::optional<CollectiveModel> create(const fabric::Fabric& fabric,
                                               std::vector<fabric::DeviceId> members,
                                               const CommSettings& settings,
                                               const NcclTuning& tuning, Diagnostics& out);

  /// The kind must be one that can run here, see refusal().
  CollectiveCost cost(const CollectiveRequest& request) const;
  /// All ways the settings allow, by the table of algorithms and protocol; none for a single
  /// member, no bytes or a kind that cannot run here.
  std::vector<CollectiveChoice> choices(const CollectiveRequest& request) const;
  /// Why a kind cannot run here; only all-to-all and send/recv may be missing.
  std::optional<Refusal> refusal(schedule::CollectiveKind kind) const;
  /// nccl-tests' bus bandwidth for a time: factor 2(n-1)/n for all-reduce, (n-1)/n for gather,
  /// scatter and all-to-all, 1 for broadcast, reduce and send/recv.
  static double bus_factor(schedule::CollectiveKind kind, int ranks);

  /// Ranks: those represented, on a folded cluster more than members().
  int size() const;
  int members() const;
  /// Rings found, as member positions in order, for `heddle explain`. None for a single member.
  std::span<const std::vector<int>> rings() const;
  RingFacts ring_facts() const;

 private:
  struct Found;
  explicit CollectiveModel(std::shared_ptr<const Found> found);

  std::shared_ptr<const Found> found_;
};

}  // namespace heddle::collective
