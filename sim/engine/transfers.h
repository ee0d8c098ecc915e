#pragma once
// Collectives in flight. Operations of one group of a communicator run one after the other in
// program order, as NCCL runs them: number k starts when its last rank has arrived and number k-1
// is done. After its latency it is one activity in the fluid network; all members end together.
// Groups of a class do all of this at the same moments: they are one activity on all their links.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/cost_table.h"
#include "sim/engine/event_queue.h"
#include "sim/engine/program_index.h"
#include "sim/engine/rank_folding.h"
#include "sim/engine/run_result.h"
#include "sim/engine/shared_links.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

/// A class of ranks at a collective.
struct Arrival {
  std::uint32_t stream = 0;  // number of the stream in the simulation
  SimTime time;
};

class Transfers {
 public:
  /// `counts`: collectives each communicator will see.
  Transfers(const schedule::Schedule& schedule, const CostTable& costs, const Folding& folding,
            const std::vector<std::uint32_t>& counts, SharedLinks& links, EventQueue& queue);

  /// `arrival` is at `op`, a collective, and may lie in the future.
  void arrive(const StreamOp& op, Arrival arrival);
  /// The latency of the running collective of a class of groups is over. Who runs it, and the entry
  /// in the cost table that it is.
  struct Started {
    std::span<const Arrival> arrivals;
    std::uint32_t entry;
  };
  Started start(std::uint32_t group, SimTime now);
  bool current(const Event& finish) const;
  /// The members of what ends now, and the time before which it could not run.
  struct Finished {
    std::span<const Arrival> arrivals;
    std::uint32_t entry;
    SimTime not_before;
    SimTime last_arrival;
  };
  Finished finish(std::uint32_t group, SimTime now);
  /// By CollectiveId.
  std::vector<CollectiveTimes> take_times() { return std::move(times_); }

 private:
  struct Instance {
    std::uint32_t collective = 0;
    std::uint32_t arrived = 0;
    SimTime last_arrival;
  };
  /// The links of a collective in all groups of a class.
  struct Links {
    std::span<const collective::LinkUse> carried;  // true bytes
    std::vector<collective::LinkUse> sums;         // what `carried` shows, of several groups
    std::vector<ResourceUse> occupied;             // of one link of each class
  };

  struct Group {  // a class of them
    const GroupClass* identity = nullptr;
    std::uint32_t class_count = 0;
    std::size_t rank_count = 0;       // of one group
    std::vector<Instance> instances;  // by sequence number
    std::vector<Arrival> arrivals;    // class_count per instance
    std::uint32_t next = 0;           // the instance that runs, or will run next
    SimTime free;                     // end of the one before
    SimTime started;                  // the instance that runs
    std::uint32_t mover = 0;
    std::vector<Links> links;  // by collective
  };

  void add_group(const GroupClass& identity, std::uint32_t count);
  Links links_of(const GroupClass& identity, std::uint32_t collective) const;
  void fold_links();
  void begin_if_ready(std::uint32_t group);
  std::span<const Arrival> running_arrivals(const Group& g) const;
  std::uint32_t running_entry(const Group& g) const;

  const schedule::Schedule& schedule_;
  const CostTable& costs_;
  EventQueue& queue_;
  SharedLinks& links_;
  const Folding& folding_;
  std::vector<Group> groups_;           // by folding.groups
  std::vector<CollectiveTimes> times_;  // by collective
};

}  // namespace heddle::engine
