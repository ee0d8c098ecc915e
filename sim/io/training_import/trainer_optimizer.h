#pragma once
// "optim" of TrainingArguments.

#include <optional>
#include <string_view>

#include "sim/parallel/training_spec.h"

namespace heddle::io {

struct TrainerOptimizer {
  std::string_view name;
  parallel::OptimizerKind kind;
  parallel::OptimizerKernel kernel;
  std::string_view why;
};

/// nullptr for one that is not modelled.
const TrainerOptimizer* find_trainer_optimizer(std::string_view name);

}  // namespace heddle::io
