#pragma once
// TrainingArguments of transformers as JSON (to_json_string(), or the dictionary a script is
// configured with; transformers 4.46: training_args.py).

#include "sim/io/training_import/import_context.h"
#include "sim/io/training_import/training_setup.h"

namespace heddle::io {

void read_trainer_arguments(const Value& root, ImportContext& context, TrainingSetup& setup);

}  // namespace heddle::io
