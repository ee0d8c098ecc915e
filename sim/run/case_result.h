#pragma once
// One row of the answer: a strategy on a fabric, with everything the table, the JSON and `explain`
// print. All memory is per GPU (the fullest rank), all times are of the last simulated step.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/run_result.h"
#include "sim/run/cost/cost_report.h"
#include "sim/run/memory_report.h"
#include "sim/run/scenario.h"
#include "sim/run/variation/variation.h"
#include "sim/schedule/schedule.h"

namespace heddle::run {

/// What one kind of collective on one communicator moved in the step, per rank.
struct TrafficLine {
  schedule::CollectiveKind kind;
  schedule::CommunicatorId communicator;
  std::string algorithm;  // "ring/simple over nvlink"
  int calls = 0;
  Bytes bytes;       // nccl-tests' size, summed
  Bytes wire_bytes;  // sent per rank
  Duration busy;
  Duration exposed;  // the compute stream stood idle for it,
  Duration late;     // part of that while other ranks were not there,
  Duration queued;   // and part then until the operations before it were done
};

struct HostDispatchLine {
  schedule::Phase phase;
  std::int64_t dispatches = 0;   // eager operators
  std::int64_t collectives = 0;  // calls, each with its own host time besides its dispatch
  Duration time;
};

/// A rank whose GPU is slow, and makes the others wait.
struct SlowRank {
  int rank = 0;
  std::string gpu;   // device name
  double speed = 1;  // of full
};

/// What a flow of background traffic did, over the whole run.
struct BackgroundLine {
  std::string name;
  Bytes moved;
  Bandwidth mean;              // moved / time simulated
  std::int64_t transfers = 0;  // finished
  Duration behind;             // how late the last one began
  double of_limit = 0;         // share of the limiting link's capacity that it took, on average
};

struct CaseResult {
  std::string case_id;  // "nvswitch/ddp"
  std::string fabric_id;
  std::string fabric_name;
  std::string strategy;
  std::string dialect;
  std::string gpu;
  int ranks = 0;
  MemoryReport memory;
  Duration step_time;
  double tokens_per_second = 0;  // all GPUs together
  double samples_per_second = 0;
  double mfu = 0;  // model FLOPs / (step * peak), peak of the precision's dtype
  engine::StepAccounting accounting;
  Duration memory_bound_compute;  // part of compute, kernels alone: bound by HBM
  Duration floor_bound_compute;   // the same: too small to take longer than a kernel must
  Duration attention_compute;     // the same: arithmetic of fused attention
  /// The rest of compute, collectives' slowdown apart: bound by arithmetic.
  Duration arithmetic_compute() const;
  Bytes wire_bytes;      // sent per rank in a step
  std::string bound_by;  // "compute", "memory", "host", or a link "gpu0 -> nvswitch0"
  std::vector<TrafficLine> traffic;
  std::vector<HostDispatchLine> host;
  std::vector<SlowRank> slow;
  std::vector<BackgroundLine> background;
  std::string limiting_link;  // of the collective with the most time, "" if no link limits it
  std::optional<Variation> variation;                  // if asked for
  std::optional<CostReport> cost;                      // if the scenario has prices
  engine::RunResult run;                               // timelines of the last step, for traces
  std::shared_ptr<const schedule::Schedule> schedule;  // what was run, for labels
};

}  // namespace heddle::run
