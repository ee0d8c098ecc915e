#pragma once
// DeepSpeed's ZeRO optimizers: defaults (deepspeed/runtime/zero/config.py) and what all stages
// share. With P parameters and N ranks: bf16 weights, fp32 master and moments sharded from stage 1
// on (12 P/N), bf16 gradients sharded from stage 2 on, weights from stage 3 on.

#include <cstdint>

#include "sim/parallel/strategy.h"

namespace heddle::parallel {

struct DeepSpeedDefaults {
  std::int64_t reduce_bucket = 500'000'000;         // elements
  std::int64_t allgather_bucket = 500'000'000;      // elements, stages 1 and 2
  std::int64_t prefetch_bucket = 50'000'000;        // elements, stage 3
  std::int64_t persistence_threshold = 100'000;     // elements, stage 3
  std::int64_t max_live = 1'000'000'000;            // elements, stage 3
  std::int64_t max_reuse_distance = 1'000'000'000;  // elements, stage 3
  std::int64_t sub_group = 1'000'000'000;           // elements, stage 3
};

schedule::Schedule plan_zero12(const PlanInput& input, bool partition_gradients);
schedule::Schedule plan_zero3(const PlanInput& input);

}  // namespace heddle::parallel
