#pragma once
// The table of configuration files that a strategy can be read from. A new kind is a file that
// fills in a setup and a line in training_kinds.cpp.

#include <span>
#include <string>
#include <string_view>

#include "sim/io/training_import/import_context.h"
#include "sim/io/training_import/training_setup.h"

namespace heddle::io {

struct TrainingConfigKind {
  std::string_view name;                    // "DeepSpeed's ds_config.json"
  std::span<const std::string_view> marks;  // keys that only such a file has
  void (*read)(const Value& root, ImportContext& context, TrainingSetup& setup) = nullptr;
};

std::span<const TrainingConfigKind> training_config_kinds();

/// What the file `name` (relative to the scenario, stated at `at`) means. Errors are reported; the
/// setup's strategy is empty if there is none to go on with.
TrainingSetup import_training(const std::string& name, const Value& at, ImportContext& context);

}  // namespace heddle::io
