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
#include <span>
#include <vector>

#include "sim/base/id.h"
#include "sim/base/int128.h"
#include "sim/base/units.h"
#include "sim/engine/max_min_solver.h"

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
  /// One that never finishes: it takes what it gets, up to `cap`, until it is removed.
  ActivityId add_endless(Bandwidth cap, std::span<const ResourceUse> uses);
  void remove(ActivityId id);
  /// Recomputes the rates touched by adds and removes since the last call.
  void solve();
  /// Activities whose rate the last solve() changed; for all others time_left() just shrinks.
  std::span<const ActivityId> changed() const { return changed_; }
  /// Lets `elapsed` pass at the current rates.
  void advance(Duration elapsed) { clock_ += elapsed; }
  /// Time from now until `id` finishes at its current rate, rounded up. The rate must be positive,
  /// the payload finite.
  Duration time_left(ActivityId id) const;
  Bandwidth rate(ActivityId id) const { return {activities_[id.index()].rate}; }
  /// Payload moved since `id` was added, rounded down.
  Bytes moved(ActivityId id) const;
  /// Sum of w * rate over a resource's activities now, rounded up: never above the capacity.
  Bandwidth load(ResourceId id) const;
  int active_count() const { return active_count_; }

 private:
  struct Use {
    std::uint32_t resource;
    std::uint32_t position;  // in the resource's list of users
    std::int64_t weight;
  };
  struct Activity {
    Int128 left = 0;     // 10^-12 bytes, at the time `since`; below zero if endless
    Int128 payload = 0;  // 10^-12 bytes; zero: endless
    SimTime since;       // when the rate last changed
    std::int64_t rate = 0;
    std::int64_t cap = 0;
    std::vector<Use> uses;
    std::uint32_t local = 0;  // number in the solver, while a component is collected
    bool active = false;
    bool collected = false;
  };
  struct User {
    std::uint32_t activity;
    std::uint32_t use;  // index among the activity's uses
  };
  struct Resource {
    std::int64_t capacity = 0;
    std::vector<User> users;
    std::uint32_t local = 0;
    bool touched = false;  // in touched_: its component must be solved again
  };

  std::uint32_t take_slot();
  ActivityId insert(Int128 payload, Bandwidth cap, std::span<const ResourceUse> uses);
  void touch(std::uint32_t resource);
  void unlink(const Use& use);
  void collect_activity(std::uint32_t activity);
  void collect_components();
  void fill_solver();
  void set_rate(std::uint32_t activity, std::int64_t rate);

  std::vector<Activity> activities_;  // by id; ids of removed ones are used again
  std::vector<std::uint32_t> free_slots_;
  std::vector<Resource> resources_;
  SimTime clock_;
  int active_count_ = 0;
  // Work of one solve(): `touched_` grows to every resource of the touched components.
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint32_t> collected_;
  std::vector<ActivityId> changed_;
  MaxMinSolver solver_;
};

}  // namespace heddle::engine
