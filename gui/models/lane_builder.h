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

}  // namespace heddle::gui
