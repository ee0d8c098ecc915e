#pragma once
// Runs a schedule on a fabric by discrete events. See README.md for the event order and the
// equations of the clock; op.h for what each op means.

#include "sim/allocator/allocator_config.h"
#include "sim/collective/collective_model.h"
#include "sim/engine/background_flow.h"
#include "sim/engine/host_model.h"
#include "sim/engine/run_result.h"
#include "sim/model/gpu.h"
#include "sim/schedule/schedule.h"

namespace heddle::engine {

class PreparedSchedule;

struct ExecutorOptions {
  bool fold = true;  // simulate one rank per class of ranks with equal programs and GPUs
  bool record_intervals = true;  // keep op intervals and link loads (traces); metrics need neither
  bool replay_allocator = true;  // reserved memory, RankResult::allocator
  allocator::AllocatorConfig allocator = {};
  /// What the caching allocator may take of each GPU: its memory less CUDA context and NCCL; 0: no
  /// limit. Nothing but RankResult::allocator depends on it.
  Bytes memory_limit = {};
  /// The schedule's, for all its runs; null: made for this one.
  const PreparedSchedule* prepared = nullptr;
};

struct Platform {
  const fabric::Fabric& fabric;
  const model::GpuModel& gpu;
  /// By CommunicatorId, group.
  std::vector<std::vector<collective::CollectiveModel>> communicators;
  HostModel host;
  std::vector<std::int64_t> speeds = {};  // of the GPUs, ppb by rank; empty: all at full speed
  std::vector<BackgroundFlow> background = {};
};

/// Throws InternalError on a schedule that check_schedule() would refuse.
RunResult execute(const schedule::Schedule& schedule, const Platform& platform,
                  const ExecutorOptions& options);

}  // namespace heddle::engine
