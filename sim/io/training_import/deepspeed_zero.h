#pragma once
// "zero_optimization" of a ds_config.json (deepspeed/runtime/zero/config.py, 0.15.4).

#include "sim/io/training_import/config_keys.h"
#include "sim/io/training_import/import_context.h"

namespace heddle::io {

/// Sets strategy, dialect, options and offload. Returns whether the optimizer is on the host.
bool read_deepspeed_zero(ConfigKeys& zero, ImportContext& context, TrainingSetup& setup);

/// A device of offload_optimizer or offload_param, already in lower case: whether it is the host.
bool is_host(const std::string& device, ConfigKeys& keys, std::string_view key);

}  // namespace heddle::io
