#pragma once
// Why measured curves rise more slowly than one latency and one rate allow. A message is cut into
// chunks. Chunks of duration d keep P hops waiting for P d before the last one has work, and each
// costs a handshake s, x / d of them for a transfer of duration x, so that
//
//   T - latency = x + P d + s x / d,   least at d = sqrt(s x / P):   x + 2 sqrt(P s x)
//
// NCCL's chunks grow with the message in that way until a slot is full; from then on the loss per
// chunk is part of the rate, and the fill stays. `sync` is the product P s.

#include "sim/base/units.h"

namespace heddle::collective {

struct Pipelining {
  Duration sync;
  Duration until;  // duration of the transfer from which chunks do not grow any more

  /// 2 sqrt(sync min(transfer, until)).
  Duration stall(Duration transfer) const;
};

}  // namespace heddle::collective
