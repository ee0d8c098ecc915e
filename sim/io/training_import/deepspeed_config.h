#pragma once
// DeepSpeed's ds_config.json (deepspeed/runtime/config.py and engine.py, 0.15.4; what "auto" means
// is the caller's business: transformers/integrations/deepspeed.py 4.46, Accelerate 1.1).

#include "sim/io/training_import/import_context.h"
#include "sim/io/training_import/training_setup.h"

namespace heddle::io {

/// What the launcher that reads the file puts in for "auto" and for absent keys.
struct DeepSpeedCaller {
  std::optional<bool> clips;  // "auto" of gradient_clipping; nullopt: as the scenario
  bool sets_batch = false;    // it has decided on micro-batch and accumulation itself
};

void read_deepspeed_config(const Value& root, const DeepSpeedCaller& caller, ImportContext& context,
                           TrainingSetup& setup);

}  // namespace heddle::io
