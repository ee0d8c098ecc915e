#pragma once
// Max-min fair sharing of resources by activities that use several at once.
//
//   capacity_r >= sum over activities a of w(a, r) * rate_a          for every resource r
//   rate_a <= cap_a
//   rates are max-min fair: no rate can rise without lowering one that is not larger.
//
// Progressive filling with unit growth: all rates rise together; an activity stops when one of its
// resources is full or its cap is reached. Integers throughout: rates in bytes per second (rounded
// down), weights in parts per billion, what is left of an activity in units of 10^-12 bytes, so the
// result depends on neither the order of activities nor that of resources. Only the connected
// component that an arrival or departure touches is solved again.
// The solver knows no clock: it is told how much time has passed (advance) and answers when the
// next activity would finish. Oracle: tests/support/exact_max_min; second oracle: SimGrid.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/units.h"

namespace heddle::engine {

using ResourceId = Id<struct ResourceTag>;
using ActivityId = Id<struct ActivityTag>;

struct ResourceUse {
  ResourceId resource;
  std::int64_t weight_ppb = 0;  // > 0: resource bytes per payload byte, in parts per billion
};

class FluidNetwork {
 public:
  explicit FluidNetwork(std::span<const Bandwidth> capacities);

  /// `payload` > 0, `cap` > 0; an activity with no uses runs at its cap. Rates are stale until
  /// solve().
  ActivityId add(Bytes payload, Bandwidth cap, std::span<const ResourceUse> uses);
  void remove(ActivityId id);
  /// Recomputes the rates touched by adds and removes since the last call.
  void solve();
  /// Lets `elapsed` pass at the current rates.
  void advance(Duration elapsed);
  /// Time from now until `id` finishes at its current rate, rounded up.
  Duration time_left(ActivityId id) const;
  Bandwidth rate(ActivityId id) const;
  /// Sum of w * rate over a resource's activities now.
  Bandwidth load(ResourceId id) const;
  int active_count() const;
};

}  // namespace heddle::engine
