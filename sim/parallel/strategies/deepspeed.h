#pragma once
// What all stages of DeepSpeed share. With P trained parameters and N ranks: 16-bit weights, fp32
// master and moments sharded (12 P/N; the moments from the first step on), 16-bit gradients sharded
// from stage 2 on, weights from stage 3 on. In fp16 the loss is scaled, and every step begins with
// a check of all gradients that the host waits for; without a stage nothing is sharded then.
// Options and their defaults: dialect_options.h.

#include <cstdint>
#include <vector>

#include "sim/parallel/strategies/sharding.h"
#include "sim/parallel/strategy.h"
#include "sim/schedule/schedule_builder.h"

namespace heddle::parallel {

/// Norm of this rank's gradients, every one of `tensors` widened to fp64 first
/// (get_grad_norm_direct). The caller adds the collective.
void emit_fp64_norm(schedule::ScheduleBuilder& builder, std::int64_t elements, int tensors);

/// Whether this rank's fp16 gradients are finite (_has_inf_or_nan of each tensor). The caller adds
/// the collective and the wait for its result.
struct OverflowCheck {
  std::int64_t elements = 0;
  std::int64_t largest = 0;  // of one tensor
  int tensors = 0;
};
void emit_overflow_check(schedule::ScheduleBuilder& builder, const OverflowCheck& check);

/// One flat partition, or one sub-group of it.
struct PartitionStep {
  std::int64_t elements = 0;
  const OptimizerSpec& optimizer;
  bool makes_states = false;  // at the first step
};

/// The optimizer on one flat partition: bf16 gradients flattened (+2 bytes per element), cast to
/// fp32 (+4), `own_gradients` and the flat copy dropped, unscaled and clipped in one pass, stepped,
/// weights written back.
void emit_partition_step(schedule::ScheduleBuilder& builder, const PartitionStep& step,
                         std::vector<schedule::BufferId>& own_gradients);

/// Stages 1 and 2 with the optimizer on the host: the GPU waits, then gets the new fp32 weights
/// (+4 bytes per element) and rounds them. What the host takes is not in the schedule.
void emit_host_step(schedule::ScheduleBuilder& builder, std::int64_t elements);

schedule::Schedule plan_zero0(const PlanInput& input);
schedule::Schedule plan_zero0_fp16(const PlanInput& input);
schedule::Schedule plan_zero12(const PlanInput& input, bool partition_gradients);
schedule::Schedule plan_zero3(const PlanInput& input);

}  // namespace heddle::parallel
