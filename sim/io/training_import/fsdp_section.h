#pragma once
// The FSDP settings of Accelerate's YAML ("fsdp_" before each key) and of TrainingArguments'
// fsdp_config, which share names and meaning but not defaults (accelerate 1.1:
// commands/launch.py, utils/dataclasses.py; transformers 4.46: training_args.py).

#include <string>

#include "sim/io/training_import/config_keys.h"
#include "sim/io/training_import/import_context.h"

namespace heddle::io {

struct FsdpCaller {
  std::string prefix;           // "fsdp_" or ""
  bool use_orig_params = true;  // what an absent key means
  std::string_view launcher;    // whose default that is
};

/// Sets strategy, dialect and options; takes every key of the section that it knows.
void read_fsdp_section(ConfigKeys& keys, const FsdpCaller& caller, ImportContext& context,
                       TrainingSetup& setup);

/// "FULL_SHARD", "1", "full_shard" ... in lower case; false if refused.
bool set_sharding(const std::string& text, ConfigKeys& keys, std::string_view key,
                  TrainingSetup& setup);

}  // namespace heddle::io
