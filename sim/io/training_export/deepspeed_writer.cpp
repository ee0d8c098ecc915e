#include "sim/io/training_export/deepspeed_writer.h"

#include "sim/io/json_writer.h"

namespace heddle::io {
namespace {

void write_device(JsonWriter& w, std::string_view key, bool on_host) {
  if (!on_host) return;
  w.key(key).begin_object().field("device", "cpu").end_object();
}

void write_sharded_weights(JsonWriter& w, const parallel::DeepSpeedOptions& o) {
  w.field("overlap_comm", true)
      .field("stage3_prefetch_bucket_size", o.prefetch_bucket_size)
      .field("stage3_param_persistence_threshold", o.param_persistence_threshold)
      .field("stage3_max_live_parameters", o.max_live_parameters)
      .field("stage3_max_reuse_distance", o.max_reuse_distance)
      .field("sub_group_size", o.sub_group_size);
}

void write_whole_weights(JsonWriter& w, const parallel::DeepSpeedOptions& o) {
  w.field("overlap_comm", o.overlap_comm)
      .field("contiguous_gradients", o.contiguous_gradients)
      .field("round_robin_gradients", o.round_robin_gradients)
      .field("allgather_bucket_size", o.allgather_bucket_size);
}

void write_zero(JsonWriter& w, const run::Scenario& scenario, const run::StrategyChoice& choice) {
  const parallel::DeepSpeedOptions& options = choice.options.deepspeed;
  const int stage = choice.strategy.back() - '0';
  w.key("zero_optimization").begin_object().field("stage", stage);
  w.field("reduce_bucket_size", options.reduce_bucket_size);
  if (stage == 3) {
    write_sharded_weights(w, options);
  } else {
    write_whole_weights(w, options);
  }
  write_device(w, "offload_optimizer", scenario.training.offload.optimizer);
  write_device(w, "offload_param", stage == 3 && scenario.training.offload.parameters);
  w.end_object();
}

}  // namespace

std::string deepspeed_json(const run::Scenario& scenario, const run::StrategyChoice& choice) {
  JsonWriter w;
  w.begin_object();
  const bool half = scenario.compute.precision == model::Precision::kFloat16;
  w.key(half ? "fp16" : "bf16").begin_object().field("enabled", true).end_object();
  w.field("train_micro_batch_size_per_gpu", scenario.batch.micro_batch)
      .field("gradient_accumulation_steps", scenario.training.accumulation)
      .field("gradient_clipping", scenario.training.gradient_clipping ? 1.0 : 0.0);
  write_zero(w, scenario, choice);
  w.end_object();
  return w.take();
}

}  // namespace heddle::io
