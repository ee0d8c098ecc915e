#pragma once
// What a schedule's entries cost on a platform, worked out once per distinct entry. All that the
// event loop knows of models and fabrics.

#include <vector>

#include "sim/base/units.h"
#include "sim/collective/collective_model.h"
#include "sim/engine/background_flow.h"
#include "sim/engine/executor.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

struct CostTable {
  std::vector<Duration> kernels;              // by KernelId, nothing beside it
  std::vector<std::vector<Duration>> beside;  // by entry, KernelId: while it runs
  /// Entries; uses owned elsewhere. By CollectiveId if each communicator has one group, or if its
  /// groups cost alike on the same links; else see `entries`.
  std::vector<collective::CollectiveCost> collectives;
  std::vector<std::vector<std::uint32_t>> entries;  // by CollectiveId, group; may be empty
  std::vector<Bandwidth> links;                     // capacity by LinkId
  std::vector<std::int64_t> speeds;  // ppb by rank; empty: all full. Applied to every kernel
  std::vector<BackgroundFlow> background;
  Duration launch_latency;
  HostModel host;

  /// Where the cost of a collective is for a group of its communicator.
  std::uint32_t entry(std::size_t collective, std::size_t group) const {
    return entries.empty() ? static_cast<std::uint32_t>(collective) : entries[collective][group];
  }
};

CostTable price(const schedule::Schedule& schedule, const Platform& platform);

/// True when the collective moves nothing: its end is its start.
inline bool instantaneous(const collective::CollectiveCost& cost, std::size_t ranks) {
  return ranks <= 1 || cost.payload.value == 0;
}

}  // namespace heddle::engine
