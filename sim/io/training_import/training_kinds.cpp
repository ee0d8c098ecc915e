#include "sim/io/training_import/training_kinds.h"

#include <algorithm>
#include <array>

#include "sim/io/training_import/accelerate_config.h"
#include "sim/io/training_import/config_document.h"
#include "sim/io/training_import/deepspeed_config.h"
#include "sim/io/training_import/trainer_arguments.h"

namespace heddle::io {
namespace {

constexpr std::array<std::string_view, 3> kDeepSpeedMarks{
    "zero_optimization", "train_micro_batch_size_per_gpu", "train_batch_size"};
constexpr std::array<std::string_view, 3> kAccelerateMarks{"compute_environment",
                                                           "distributed_type", "mixed_precision"};
constexpr std::array<std::string_view, 5> kTrainerMarks{
    "per_device_train_batch_size", "output_dir", "fsdp", "deepspeed", "gradient_checkpointing"};

void read_plain_deepspeed(const Value& root, ImportContext& context, TrainingSetup& setup) {
  read_deepspeed_config(root, {}, context, setup);
}

const TrainingConfigKind* kind_of(const Value& root) {
  for (const TrainingConfigKind& kind : training_config_kinds()) {
    if (std::any_of(kind.marks.begin(), kind.marks.end(),
                    [&](std::string_view key) { return root.member(key).has_value(); })) {
      return &kind;
    }
  }
  return nullptr;
}

}  // namespace

std::span<const TrainingConfigKind> training_config_kinds() {
  static constexpr std::array<TrainingConfigKind, 3> kTable{{
      // One line per kind.
      {"DeepSpeed's ds_config.json", kDeepSpeedMarks, read_plain_deepspeed},
      {"Accelerate's YAML", kAccelerateMarks, read_accelerate_config},
      {"TrainingArguments as JSON", kTrainerMarks, read_trainer_arguments},
  }};
  return kTable;
}

TrainingSetup import_training(const std::string& name, const Value& at, ImportContext& context) {
  TrainingSetup setup;
  const auto document = read_config_file(name, at, context);
  if (!document) return setup;
  const int errors_before = context.out.error_count();
  const TrainingConfigKind* kind = kind_of(document->root());
  if (kind == nullptr) {
    document->root().error("unknown-config", "is no training configuration known here",
                           "known: DeepSpeed's ds_config.json, Accelerate's YAML, "
                           "TrainingArguments as JSON",
                           context.out);
    return setup;
  }
  kind->read(document->root(), context, setup);
  if (context.out.error_count() > errors_before) setup.strategy.clear();
  return setup;
}

}  // namespace heddle::io
