#include "sim/run/cuda_graph.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::run {
namespace {

using schedule::Op;
using schedule::OpKind;

/// Waits of the host that something is launched after, in the last step. The wait for the loss at
/// the end of a step is outside the graph.
int waits_inside(const schedule::Schedule& schedule) {
  int waits = 0;
  int pending = 0;
  for (const Op& op : schedule.programs.front().ops) {
    if (op.kind == OpKind::kMark &&
        schedule.marks[op.arg].kind == schedule::Mark::Kind::kStepBegin) {
      waits = pending = 0;
    } else if (op.kind == OpKind::kHostWait) {
      ++pending;
    } else if (op.kind == OpKind::kCompute || op.kind == OpKind::kCollective) {
      waits += pending;
      pending = 0;
    }
  }
  return waits;
}

bool steps_are_counted_on_the_host(const parallel::OptimizerSpec& optimizer) {
  return optimizer.kind == parallel::OptimizerKind::kAdamW && !optimizer.capturable &&
         optimizer.kernel != parallel::OptimizerKernel::kFused;
}

}  // namespace

std::string capture_problem(const schedule::Schedule& schedule,
                            const parallel::TrainingSpec& spec) {
  if (steps_are_counted_on_the_host(spec.optimizer)) {
    return "a CUDA graph needs the optimizer's step counts on the GPU: set optimizer.capturable, "
           "or its kernel to \"fused\"";
  }
  const int waits = waits_inside(schedule);
  if (waits == 0) return "";
  return fmt::format(
      "the host waits for the GPU {} times in the middle of a step, which no CUDA graph can hold",
      waits);
}

engine::HostModel host_model(const HostChoice& host) {
  if (host.cuda_graph) return {{}, {}, 0, host.per_step};
  return {host.per_dispatch, host.per_collective, host.run_ahead, host.per_step};
}

model::GpuModel captured(model::GpuModel gpu) {
  gpu.kernel_floor = std::min(gpu.kernel_floor, kGraphNode);
  return gpu;
}

}  // namespace heddle::run
