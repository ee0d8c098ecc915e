#include "sim/io/training_import/trainer_accelerator.h"

#include "sim/io/training_import/fsdp_section.h"

namespace heddle::io {
namespace {

constexpr std::string_view kAccelerator = "accelerator_config";

/// Whether each micro-batch's gradients are reduced.
bool syncs_each(ConfigKeys& accelerator) {
  auto sync = accelerator.section("gradient_accumulation_kwargs");
  if (!sync) return false;
  const bool each = sync->flag("sync_each_batch").value_or(false);
  sync->only("num_steps", {"1"}, "a second place for the accumulation is not read",
             "set gradient_accumulation_steps");
  sync->without_effect({"adjust_scheduler", "sync_with_dataloader"});
  sync->finish();
  return each;
}

/// How a batch comes to the ranks.
void read_batches(ConfigKeys& keys) {
  keys.only("split_batches", {"false"}, "a batch split between the ranks is not modelled",
            "set it to false");
  keys.only("dispatch_batches", {"false"}, "batches sent by the first rank are not modelled",
            "set it to false");
}

/// Returns whether each micro-batch's gradients are reduced.
bool read_accelerator(ConfigKeys& keys) {
  const auto value = keys.take(kAccelerator);
  if (!value) return false;
  if (value->kind() == JsonKind::kString) {
    keys.refuse(kAccelerator, "a file of its own is not read", "write its object here");
    return false;
  }
  auto accelerator = *keys.section(kAccelerator);
  const bool each = syncs_each(accelerator);
  read_batches(accelerator);
  accelerator.only("use_configured_state", {"false"}, "settings made elsewhere are not known",
                   "set it to false");
  accelerator.without_effect({"even_batches", "use_seedable_sampler", "non_blocking"});
  accelerator.finish();
  return each;
}

}  // namespace

void read_trainer_accelerator(ConfigKeys& keys, std::int64_t accumulation,
                              const TrainingSetup& setup) {
  constexpr std::string_view kSteps = "gradient_accumulation_steps";
  const bool each = read_accelerator(keys);
  read_batches(keys);
  if (accumulation == 1) return;
  if (setup.strategy == "fsdp" && !each) {
    refuse_no_sync(keys, kSteps,
                   "set accelerator_config.gradient_accumulation_kwargs.sync_each_batch to true");
  } else if (setup.strategy == "ddp" && each) {
    keys.refuse(kAccelerator, "DDP is modelled with one reduction, in the last micro-batch",
                "set gradient_accumulation_kwargs.sync_each_batch to false");
  }
}

}  // namespace heddle::io
