#pragma once
// The FSDP settings of Accelerate's YAML ("fsdp_" before each key) and of TrainingArguments'
// fsdp_config, which share names and meaning but not defaults (accelerate 1.1:
// commands/launch.py, utils/dataclasses.py; transformers 4.46: training_args.py).

#include <string>

#include "sim/io/training_import/config_keys.h"
#include "sim/io/training_import/training_setup.h"

namespace heddle::io {

struct FsdpCaller {
  std::string prefix;           // "fsdp_" or ""
  bool use_orig_params = true;  // what an absent key means
  std::string_view launcher;    // whose default that is
  bool wraps = false;           // a unit per layer, chosen outside the section
};

/// Sets strategy, dialect and options; takes every key of the section that it knows. Returns
/// whether FSDP checkpoints each layer.
bool read_fsdp_section(ConfigKeys& keys, const FsdpCaller& caller, TrainingSetup& setup);

/// Without a unit per layer there is one for the whole model.
void refuse_one_unit(ConfigKeys& keys, std::string_view key);

/// Trainer and Accelerate reduce nothing before the last micro-batch (no_sync), so that each rank
/// holds the gradients of the whole model until then; modelled is a reduction of each.
void refuse_no_sync(ConfigKeys& keys, std::string_view key, std::string_view hint);

/// "FULL_SHARD", "1", "full_shard" ... in lower case; false if refused.
bool set_sharding(const std::string& text, ConfigKeys& keys, std::string_view key,
                  TrainingSetup& setup);

}  // namespace heddle::io
