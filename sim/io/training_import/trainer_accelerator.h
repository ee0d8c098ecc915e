#pragma once
// "accelerator_config" of TrainingArguments (transformers 4.46: AcceleratorConfig) and the two
// arguments that it replaced.

#include "sim/io/training_import/config_keys.h"

namespace heddle::io {

/// Refuses FSDP that accumulates without a reduction of each micro-batch. After the strategy is
/// known.
void read_trainer_accelerator(ConfigKeys& keys, std::int64_t accumulation,
                              const TrainingSetup& setup);

}  // namespace heddle::io
