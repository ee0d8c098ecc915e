#pragma once
// A ring through host memory has few CTAs, and a CTA runs its operations one after the other, the
// ones that only send or only receive included:
//
//   all-reduce        n chunks of payload in 2n - 1 operations, 2(n - 1) of them sending
//   gather, scatter   n chunks in n operations, n - 1 of them sending
//   broadcast, reduce 1 chunk in 1 operation (every rank only forwards, or adds and forwards)
//
// so payload rate <= C * r_cta * chunks / operations; as bus bandwidth, C * r_cta times the share
// of the operations that send.

#include "sim/base/units.h"
#include "sim/collective/share.h"
#include "sim/fabric/comm_parameters.h"
#include "sim/schedule/schedule.h"

namespace heddle::collective {

/// Operations a CTA runs per chunk of payload.
Share operations_per_chunk(schedule::CollectiveKind kind, int ranks);

/// r_cta: that of the slowest kind of hop.
Bandwidth rate_per_cta(const fabric::HostStaging& staging, bool crosses_socket);

}  // namespace heddle::collective
