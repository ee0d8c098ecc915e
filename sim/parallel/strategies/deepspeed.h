#pragma once
// DeepSpeed's ZeRO optimizers: defaults (deepspeed/runtime/zero/config.py) and what all stages
// share. With P parameters and N ranks: bf16 weights, fp32 master and moments sharded from stage 1
// on (12 P/N), bf16 gradients sharded from stage 2 on, weights from stage 3 on.

#include <cstdint>

#include "sim/parallel/strategy.h"
#include "sim/schedule/schedule_builder.h"

namespace heddle::parallel {

struct DeepSpeedDefaults {
  std::int64_t reduce_bucket = 500'000'000;         // elements
  std::int64_t prefetch_bucket = 50'000'000;        // elements, stage 3
  std::int64_t persistence_threshold = 100'000;     // elements, stage 3
  std::int64_t max_live = 1'000'000'000;            // elements, stage 3
  std::int64_t max_reuse_distance = 1'000'000'000;  // elements, stage 3
  std::int64_t sub_group = 1'000'000'000;           // elements, stage 3
};

inline constexpr std::int64_t kLowBytes = 2;     // bf16 weights and gradients
inline constexpr std::int64_t kMasterBytes = 4;  // fp32 master weights and moments

/// Norm of this rank's gradients, every one of `tensors` widened to fp64 first
/// (get_grad_norm_direct). The caller adds the collective.
void emit_fp64_norm(schedule::ScheduleBuilder& builder, std::int64_t elements, int tensors);

/// The optimizer on one flat partition: bf16 gradients flattened (+2 bytes per element), cast to
/// fp32 (+4), `own_gradients` and the flat copy dropped, unscaled, stepped, weights written back.
void emit_partition_step(schedule::ScheduleBuilder& builder, std::int64_t elements,
                         const OptimizerSpec& optimizer, schedule::BufferId* own_gradients);

schedule::Schedule plan_zero12(const PlanInput& input, bool partition_gradients);
schedule::Schedule plan_zero3(const PlanInput& input);

}  // namespace heddle::parallel
