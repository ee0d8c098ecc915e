#pragma once
// "fsdp" and "fsdp_config" of TrainingArguments.

#include <string>
#include <vector>

#include "sim/io/training_import/config_keys.h"

namespace heddle::io {

/// The words of "fsdp": "full_shard auto_wrap", or a list of them; true is full_shard.
std::vector<std::string> trainer_fsdp_words(ConfigKeys& keys);

/// Returns whether FSDP checkpoints each layer.
bool read_trainer_fsdp(ConfigKeys& keys, const std::vector<std::string>& words,
                       TrainingSetup& setup);

}  // namespace heddle::io
