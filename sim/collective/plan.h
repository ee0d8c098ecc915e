#pragma once
// One way to run one kind of collective on one communicator, for any size: T = latency + S / rate.

#include <optional>
#include <vector>

#include "sim/base/units.h"
#include "sim/collective/types.h"
#include "sim/fabric/fabric.h"

namespace heddle::collective {

struct Plan {
  Algorithm algorithm = Algorithm::kRing;
  Protocol protocol = Protocol::kSimple;
  Transport transport = Transport::kNvlink;
  int channels = 0;  // CTAs held while it runs
  Duration latency;
  Bandwidth nominal;  // payload rate that NCCL estimates with
  std::vector<LinkUse> uses;
  Bandwidth rate_cap;
  Bandwidth rate;
  std::optional<fabric::LinkId> limiting_link;

  /// NCCL's estimate, which chooses between plans.
  Duration estimate(Bytes payload) const;
  /// The model's answer with the links to itself.
  Duration time(Bytes payload) const;
};

/// Fills in the rates from the uses: the slowest link's, or `cap` where that is lower. Without a
/// lower cap, rate_cap is the lone rate: a collective never runs faster beside others than alone.
void settle_rate(Plan& plan, const fabric::Fabric& fabric, std::optional<Bandwidth> cap);

}  // namespace heddle::collective
