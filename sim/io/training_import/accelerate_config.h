#pragma once
// The YAML that `accelerate config` writes and `accelerate launch --config_file` reads (accelerate
// 1.1: commands/config/, commands/launch.py, utils/dataclasses.py).

#include "sim/io/training_import/import_context.h"
#include "sim/io/training_import/training_setup.h"

namespace heddle::io {

void read_accelerate_config(const Value& root, ImportContext& context, TrainingSetup& setup);

}  // namespace heddle::io
