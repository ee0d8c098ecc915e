#pragma once
// Oracle: hierarchical ring collectives send by send on an event queue, one message after the
// other. Slow, and sharing nothing with the recurrences but the rules of collective/rank_times.h.

#include <vector>

#include "sim/collective/grid_times.h"

namespace heddle::test {

/// Ends by rank. `link_factors` as Grid's.
std::vector<double> event_by_event(const std::vector<collective::GridDimension>& dimensions,
                                   const std::vector<double>& link_factors,
                                   schedule::CollectiveKind kind, Bytes payload,
                                   const std::vector<double>& arrivals);

}  // namespace heddle::test
