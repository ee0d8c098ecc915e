#pragma once
// Many transfers at once, each over a path of its own: when does each end? For patterns of ten
// thousands of unequal flows, such as an all-to-all of uneven shares, in which every end changes
// thousands of rates. Equal to FluidNetwork to the picosecond.
//
// Flows at home at one resource (fair_levels.h) run at one rate, so a resource has one clock of
// bytes, served(t) = integral of its level, and a flow that enters at served s0 ends when the clock
// shows s0 + what it has left. A change of a rate moves one clock, not the flows'; of each
// resource only the earliest end is planned.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/int128.h"
#include "sim/base/units.h"
#include "sim/engine/fair_levels.h"

namespace heddle::engine {

class FlowSet {
 public:
  /// See FairLevels: all weights are one, a cap is a resource.
  FlowSet(std::span<const Bandwidth> capacities, std::size_t longest_path)
      : levels_(capacities, longest_path),
        clocks_(capacities.size()),
        ends_(capacities.size(), kNever),
        block_ends_(capacities.size() / kBlock + 1, kNever),
        stale_blocks_(block_ends_.size()) {}

  /// Starts now. `payload` > 0. Flows are numbered as FairLevels numbers them.
  std::uint32_t add(Bytes payload, std::span<const std::uint32_t> path);
  /// Lets time pass until the next flows end and takes them out; empty: none are left.
  std::span<const std::uint32_t> run_to_next_end();
  SimTime now() const { return now_; }
  /// Valid from the first run_to_next_end() on.
  Bandwidth rate(std::uint32_t flow) const { return {levels_.rate(flow)}; }

 private:
  static constexpr std::size_t kBlock = 64;
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  struct End {
    Int128 served;  // of the home's clock, 10^-12 bytes
    std::uint32_t flow;
  };
  static bool later(const End& a, const End& b) { return a.served > b.served; }
  struct Clock {
    Int128 served = 0;  // at `since`, 10^-12 bytes
    SimTime since;
    std::int64_t level = 0;
    bool stale = false;     // in to_plan_
    bool untidy = false;    // flows have left since the heap was tidied
    std::vector<End> heap;  // some are of flows that have left
  };
  struct Flow {
    Int128 end = 0;  // on the clock of `home`; before it has one, what it has to move
    std::uint32_t home = FairLevels::kNowhere;
  };

  void solve();
  void catch_up(Clock& clock) const;
  void move_in(std::uint32_t flow);
  bool current(std::uint32_t resource, const End& end) const;
  void plan_later(std::uint32_t resource);
  void tidy(std::uint32_t resource);
  void plan(std::uint32_t resource);
  std::int64_t next_end();
  void take_ended(std::uint32_t resource);

  FairLevels levels_;
  std::vector<Clock> clocks_;             // by resource
  std::vector<std::int64_t> ends_;        // by resource, the earliest, ps
  std::vector<std::int64_t> block_ends_;  // the earliest of kBlock resources
  std::vector<std::uint8_t> stale_blocks_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> to_plan_;  // resources whose earliest end may be another now
  std::vector<std::uint32_t> ended_;
  SimTime now_;
};

}  // namespace heddle::engine
