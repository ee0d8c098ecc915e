#include "sim/io/training_reader.h"

#include "sim/io/scenario_limits.h"
#include "sim/model/batch_check.h"

namespace heddle::io {
namespace {

using parallel::OptimizerKernel;

OptimizerKernel read_optimizer(const Value& object, OptimizerKernel otherwise, Diagnostics& out) {
  ScenarioFields fields(object, out);
  fields.word("type", optimizer_types());
  const auto kernel = fields.optional_word("kernel", optimizer_kernels());
  fields.finish();
  return kernel.value_or(otherwise);
}

/// Tokens per sequence; 0 where images make up the batch.
std::int64_t read_sequence(ScenarioFields& fields, const std::optional<model::ModelSpec>& model) {
  constexpr std::string_view kKey = "sequence_length";
  if (model && model->family == model::Family::kVit) {
    if (const auto value = fields.optional(kKey)) {
      value->error("not-applicable", "an image model has no sequence length of its own",
                   "remove it; image and patch size give the length", fields.diagnostics());
    }
    return 0;
  }
  return model ? fields.integer(kKey, 1, kMaxTokens) : fields.integer_or(kKey, 1, kMaxTokens, 1);
}

parallel::TrainingSpec read_spec(ScenarioFields& fields) {
  parallel::TrainingSpec spec;
  if (const auto optimizer = fields.optional("optimizer")) {
    spec.optimizer_kernel = read_optimizer(*optimizer, spec.optimizer_kernel, fields.diagnostics());
  }
  spec.gradient_clipping = fields.flag_or("gradient_clipping", spec.gradient_clipping);
  spec.keep_outputs = fields.flag_or("keep_outputs", spec.keep_outputs);
  spec.sync_each_step = fields.flag_or("sync_each_step", spec.sync_each_step);
  spec.steps = static_cast<int>(fields.integer_or("steps", 1, kMaxSteps, spec.steps));
  return spec;
}

}  // namespace

void read_training(const Value& object, const std::optional<model::ModelSpec>& model,
                   run::Scenario& scenario, Diagnostics& out) {
  const int errors_before = out.error_count();
  ScenarioFields fields(object, out);
  scenario.batch.micro_batch = fields.integer("micro_batch", 1, kMaxTokens);
  scenario.batch.sequence = read_sequence(fields, model);
  scenario.precision = fields.word("precision", precisions());
  scenario.training = read_spec(fields);
  fields.finish();
  if (!model || out.error_count() > errors_before) return;
  const std::string problem = model::batch_problem(*model, scenario.batch);
  if (!problem.empty()) object.error("out-of-range", problem, "", out);
}

}  // namespace heddle::io
