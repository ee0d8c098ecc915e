#pragma once
// Steps that are captured as one CUDA graph and replayed: the host launches once, and nothing but
// the GPU paces the kernels.
//
//   host time per operator and call = 0        kernel time >= 1.5 us per launch
//
// 1.5 us: a node of a graph takes 1 to 2 us on the GPU (assumed, sigma 30 %); outside graphs the
// GPU's own floor holds. Steps before the replayed one are simulated as if captured, too. Memory is
// that of the same step without a graph: the graph's private pool is not modelled.

#include <string>

#include "sim/engine/host_model.h"
#include "sim/model/gpu.h"
#include "sim/parallel/training_spec.h"
#include "sim/run/scenario.h"
#include "sim/schedule/schedule.h"

namespace heddle::run {

inline constexpr Duration kGraphNode = nanoseconds(1500);

/// Why the plan's steps cannot be captured, or "".
std::string capture_problem(const schedule::Schedule& schedule, const parallel::TrainingSpec& spec);

/// The host's costs, captured or not.
engine::HostModel host_model(const HostChoice& host);

/// The GPU as a graph sees it.
model::GpuModel captured(model::GpuModel gpu);

}  // namespace heddle::run
