#pragma once
// One collective call in all groups of its communicator at once: what each rank sends, and what
// holds it up when nothing else is on the links. Groups may share links, as those of one machine do
// its network card:
//
//   rate <= min over links l of C_l / (sum over groups of w(l)),   and no more than any group alone

#include <span>

#include "sim/base/units.h"
#include "sim/collective/collective_model.h"
#include "sim/fabric/fabric.h"

namespace heddle::run {

struct CallCost {
  Bytes sent;  // leaves a GPU, on average over the ranks
  /// Of the slowest group; rate, total and limiting link beside the other groups.
  collective::CollectiveCost slowest;
};

/// `groups`: the communicator's, at least one. Spans of the result are owned by these.
CallCost call_cost(const collective::CollectiveRequest& request,
                   std::span<const collective::CollectiveModel> groups,
                   const fabric::Fabric& fabric);

}  // namespace heddle::run
