#pragma once
// Max-min fair rates of many flows, kept up to date while flows come and go: what MaxMinSolver
// finds from scratch, to the byte per second, at the cost of what a change really changes.
//
// A resource's level is the rate at which it is full; a flow runs at the lowest level on its path,
// that of its home. So rates are stored once per resource, not once per flow:
//
//   level_m = floor((C_m - sum over flows of m at home elsewhere of their home's level) / W_m)
//
// with W_m the uses of m by flows at home there. Resources are kept in order of level and a flow's
// home is the first of its path. A change marks a few resources; they are looked at in that order,
// each passes its new level on to the others its flows use, and a resource out of order changes
// places with its neighbour, taking the flows they share along. Flows that stop together stop at
// one level, whatever rounding leaves over (level_at), as in MaxMinSolver.
//
// All uses weigh one; a path may name a resource more than once. A cap is a resource of its own.
// Cost of a change: a few operations per flow whose rate it changes.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/base/units.h"

namespace heddle::engine {

class FairLevels {
 public:
  /// What nothing holds back.
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();
  static constexpr std::uint32_t kNowhere = 0xffffffffU;

  /// `longest_path`: the most resources a flow will use, a resource used twice counting twice.
  FairLevels(std::span<const Bandwidth> capacities, std::size_t longest_path);

  /// `path` holds at least one resource. Numbers of removed flows are used again. Levels are stale
  /// until solve().
  std::uint32_t add(std::span<const std::uint32_t> path);
  void remove(std::uint32_t flow);
  void solve();

  /// Of the flow, by resource; valid after solve().
  std::uint32_t home(std::uint32_t flow) const { return homes_[flow].resource; }
  std::int64_t rate(std::uint32_t flow) const { return levels_[homes_[flow].resource]; }
  std::int64_t level(std::uint32_t resource) const { return levels_[resource]; }
  /// Flows at home at `resource`.
  std::span<const std::uint32_t> residents(std::uint32_t resource) const {
    return residents_[resource].flows;
  }
  /// Resources whose level, and flows whose home, may differ from what they were at the last
  /// forget_changes(); some come more than once.
  std::span<const std::uint32_t> changed() const { return changed_; }
  std::span<const std::uint32_t> moved() const { return moved_; }
  void forget_changes();

 private:
  struct Home {
    std::uint32_t resource = kNowhere;
    std::uint32_t place = 0;  // among its residents
  };
  struct Residents {
    std::vector<std::uint32_t> flows;
    std::vector<std::uint32_t> others;  // stride_ resources per flow: its path without this one
  };

  /// A resource with the flows slower than some level stopped.
  struct Filling {
    std::int64_t left = 0;     // of its capacity
    std::int64_t weight = 0;   // uses by flows not stopped
    std::int64_t users = 0;    // uses by all flows
    std::size_t position = 0;  // in order_: flows at home from here on are not stopped
  };

  std::uint32_t take_number();
  void settle(std::uint32_t flow, std::uint32_t resource);
  void unsettle(std::uint32_t flow);
  void move_out(std::uint32_t from);
  void mark(std::uint32_t resource);
  void unmark(std::uint32_t resource);
  void place(std::uint32_t resource, std::size_t position);
  void note_level(std::uint32_t resource, std::int64_t level);
  void pass_on(std::uint32_t resource, std::int64_t level);
  bool may_tie(const Filling& now, std::int64_t level) const;
  std::int64_t full_level(std::uint32_t resource, Filling now) const;
  std::int64_t level_at(std::size_t position) const;
  std::int64_t count_shared(std::uint32_t resident_of, std::uint32_t user_of) const;
  void step_back(std::size_t position);
  void move_on(std::size_t position, std::int64_t level);
  std::size_t next_marked(std::size_t position) const;
  std::size_t visit(std::size_t position);

  std::size_t stride_;
  // By resource; the last is nobody's: it fills up short paths.
  std::vector<std::int64_t> capacity_;
  std::vector<std::int64_t> elsewhere_;  // taken by flows at home elsewhere
  std::vector<std::int64_t> weight_;     // uses by flows at home here
  std::vector<std::int64_t> users_;      // uses by all flows
  std::vector<std::int64_t> levels_;
  std::vector<std::int64_t> passed_;  // the level that the others' `elsewhere_` hold
  std::vector<std::uint32_t> position_;
  std::vector<std::uint8_t> marked_;
  std::vector<Residents> residents_;

  std::vector<std::uint32_t> order_;  // resources, lowest level first
  std::vector<std::uint64_t> marks_;  // by position, as bits
  std::size_t marked_count_ = 0;
  std::vector<Home> homes_;           // by flow
  std::vector<std::uint32_t> paths_;  // by flow, stride_ + 1 each
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> changed_;
  std::vector<std::uint32_t> moved_;
};

}  // namespace heddle::engine
