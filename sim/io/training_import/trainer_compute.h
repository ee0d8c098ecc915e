#pragma once
// Checkpointing, torch.compile and Liger of TrainingArguments. Each file claims what it trains
// with, so that two that differ are in conflict.

#include "sim/io/training_import/config_keys.h"
#include "sim/io/training_import/import_context.h"

namespace heddle::io {

/// `fsdp_checkpoints`: FSDP's own checkpointing is on.
void read_trainer_compute(ConfigKeys& keys, bool fsdp_checkpoints, ImportContext& context);

}  // namespace heddle::io
