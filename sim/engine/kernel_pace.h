#pragma once
// Kernels beside collectives. A kernel has a time alone and one beside each collective; its
// progress is elapsed / (time beside what runs now / time alone). Equations: README.md.

#include "sim/engine/cost_table.h"
#include "sim/engine/rank_state.h"

namespace heddle::engine {

/// The kernel at the head of `stream` by itself, on the rank's GPU.
Duration time_alone(const StreamState& stream, const RankState& rank, const CostTable& costs);

/// Whether a kernel is at the head of the stream and has been started.
bool runs_kernel(const StreamState& stream);

/// Starts the kernel at the head of `stream` with nothing done.
void start_pace(StreamState& stream, const RankState& rank, SimTime start, const CostTable& costs);

/// When that kernel ends if what runs on the rank now stays as it is, rounded up.
SimTime planned_end(const StreamState& stream, const RankState& rank, const CostTable& costs);

/// Books what the rank's running kernels have done by `now` at the pace they had. To be called
/// before `rank.beside` changes.
void book_progress(RankState& rank, const CostTable& costs, SimTime now);

}  // namespace heddle::engine
