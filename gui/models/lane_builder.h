#pragma once
// From a rank's recorded intervals to its lanes, the compute stream's waits included.

#include <vector>

#include "gui/models/case_view.h"
#include "sim/engine/run_result.h"
#include "sim/schedule/schedule.h"

namespace heddle::gui {

/// The host, then every stream that did anything; `rank` indexes run.ranks.
std::vector<Lane> build_lanes(const schedule::Schedule& schedule, const engine::RunResult& run,
                              std::size_t rank, const run::HostChoice& host);

Paint paint_of(schedule::CollectiveKind kind);
Paint paint_of(schedule::Phase phase);
/// Fills the gaps of `compute` with waits where `comm` runs; both sorted by start.
void add_waits(const std::vector<LaneBox>& comm, std::vector<LaneBox>& compute);

}  // namespace heddle::gui
