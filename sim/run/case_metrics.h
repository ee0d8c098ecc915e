#pragma once
// What a run means: the numbers of the table, read off the schedule and the simulated timelines.
//
//   step        StepAccounting of the last simulated step
//   tokens/s    ranks * tokens per micro-batch / step
//   MFU         ranks * model FLOPs / (step * ranks * peak), peak of the dtype products run in
//   memory      see memory_report.h
//   bound by    the largest part of the step: arithmetic, memory-bound kernels, host, or the wire

#include <span>
#include <string>

#include "sim/collective/collective_model.h"
#include "sim/engine/background_flow.h"
#include "sim/fabric/fabric.h"
#include "sim/model/gpu.h"
#include "sim/model/model_graph.h"
#include "sim/run/case_result.h"

namespace heddle::run {

struct MetricInputs {
  const model::ModelGraph& graph;
  const fabric::Fabric& fabric;
  const model::GpuModel& gpu;
  /// By communicator of the schedule, group.
  std::span<const std::vector<collective::CollectiveModel>> communicators;
  engine::HostModel host;
  MemoryLimits limits;
  std::span<const fabric::DeviceId> members;  // by rank
  std::span<const std::int64_t> speeds;       // ppb by rank; empty: all at full speed
  std::span<const engine::BackgroundFlow> background;
  std::int64_t micro_batches = 1;  // per step and rank
};

/// What bounds a collective's rate: a link "gpu0 -> nvswitch0", or "host staging (4 CTAs)".
std::string rate_limit(const collective::CollectiveCost& cost, const fabric::Fabric& fabric);

/// Fills everything of `result` that follows from its schedule and run.
void measure(const MetricInputs& inputs, CaseResult& result);

}  // namespace heddle::run
