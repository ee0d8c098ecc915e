#pragma once
// Everything found once about a communicator that algorithms plan from.

#include "sim/collective/nccl_tuning.h"
#include "sim/collective/ring_set.h"
#include "sim/collective/settings.h"
#include "sim/collective/wiring.h"

namespace heddle::collective {

struct Group {
  Wiring wiring;
  RingSet rings;
  const NcclTuning* tuning = nullptr;
  CommSettings settings;

  /// Ranks and machines that the members stand for: more than there are on a folded cluster.
  int size() const { return wiring.represented_size(); }
  int machines() const { return wiring.represented_machines(); }
  const fabric::CommParameters& comm() const { return wiring.fabric().comm(); }
};

}  // namespace heddle::collective
