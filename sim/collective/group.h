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

  int size() const { return wiring.size(); }
  const fabric::CommParameters& comm() const { return wiring.fabric().comm(); }
};

}  // namespace heddle::collective
