#pragma once
// One way to run one kind of collective on one communicator, for any size:
//
//   T = latency + x + stall(x)      x = S / rate
//
// What NCCL believes is kept apart: it chooses between plans, it does not time them.

#include <optional>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/nccl_tuning.h"
#include "sim/collective/pipelining.h"
#include "sim/collective/types.h"
#include "sim/fabric/fabric.h"

namespace heddle::collective {

/// NCCL's own figures for a plan.
struct Believed {
  Duration latency;
  Bandwidth rate;                     // of payload
  std::optional<PerSize> size_share;  // of the rate; none: all of it at every size
  Bytes large_from;                   // from this payload on the latency is longer; 0: never
  double large_factor = 1;            // times as long

  Duration estimate(Bytes payload) const;
};

struct Plan {
  Algorithm algorithm = Algorithm::kRing;
  Protocol protocol = Protocol::kSimple;
  Transport transport = Transport::kNvlink;
  int channels = 0;  // CTAs held while it runs
  Believed believed;
  Duration latency;
  Pipelining pipelining;
  std::vector<LinkUse> uses;
  Bandwidth rate_cap;
  Bandwidth rate;  // of a large message with the links to itself
  std::optional<fabric::LinkId> limiting_link;

  /// The rate with the waits of a message of this size in it.
  Bandwidth rate_at(Bytes payload) const;
  /// The model's answer with the links to itself: latency + payload / rate_at(payload).
  Duration time(Bytes payload) const;
  /// NCCL's estimate, which chooses between plans.
  Duration estimate(Bytes payload) const { return believed.estimate(payload); }
};

/// Of two limits that may be absent.
std::optional<Bandwidth> lower_of(std::optional<Bandwidth> a, std::optional<Bandwidth> b);

/// Fills in the rates from the uses: the slowest link's, or `cap` where that is lower. Without a
/// lower cap, rate_cap is the lone rate: a collective never runs faster beside others than alone.
void settle_rate(Plan& plan, const fabric::Fabric& fabric, std::optional<Bandwidth> cap);

}  // namespace heddle::collective
