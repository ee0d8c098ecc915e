#include "sim/io/training_reader.h"

#include "sim/io/option_visitors.h"
#include "sim/io/scenario_limits.h"
#include "sim/model/batch_check.h"
#include "sim/model/compute_check.h"

namespace heddle::io {
namespace {

void read_optimizer(const Value& object, parallel::OptimizerSpec& optimizer, Diagnostics& out) {
  ScenarioFields fields(object, out);
  optimizer.kind = fields.word("type", optimizer_types());
  read_options(fields, optimizer);
  fields.finish();
}

void read_offload(const Value& object, parallel::OffloadSpec& offload, Diagnostics& out) {
  ScenarioFields fields(object, out);
  read_options(fields, offload);
  fields.finish();
}

void read_lora(const Value& object, model::LoraOptions& lora, Diagnostics& out) {
  ScenarioFields fields(object, out);
  lora.rank = fields.integer("rank", 1, kMaxOptionCount);
  lora.targets = fields.texts("targets");
  if (lora.targets.empty()) {
    object.error("out-of-range", "LoRA needs at least one target",
                 "name linear layers: \"targets\": [\"q_proj\", \"v_proj\"]", out);
  }
  fields.finish();
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

void read_spec(ScenarioFields& fields, run::Scenario& scenario) {
  parallel::TrainingSpec& spec = scenario.training;
  Diagnostics& out = fields.diagnostics();
  if (const auto object = fields.optional("optimizer"))
    read_optimizer(*object, spec.optimizer, out);
  if (const auto object = fields.optional("offload")) read_offload(*object, spec.offload, out);
  if (const auto object = fields.optional("lora")) read_lora(*object, scenario.compute.lora, out);
  read_options(fields, spec);
  read_options(fields, scenario.compute);
  spec.steps = static_cast<int>(fields.integer_or("steps", 1, kMaxSteps, spec.steps));
}

}  // namespace

void read_training(const Value& object, const std::optional<model::ModelSpec>& model,
                   run::Scenario& scenario, Diagnostics& out) {
  const int errors_before = out.error_count();
  ScenarioFields fields(object, out);
  scenario.batch.micro_batch = fields.integer("micro_batch", 1, kMaxTokens);
  scenario.batch.sequence = read_sequence(fields, model);
  scenario.compute.precision = fields.word("precision", precisions());
  read_spec(fields, scenario);
  fields.finish();
  if (!model || out.error_count() > errors_before) return;
  const std::string problem = model::batch_problem(*model, scenario.batch);
  if (!problem.empty()) object.error("out-of-range", problem, "", out);
  const std::string scores =
      model::scores_problem(*model, scenario.batch, scenario.compute.attention);
  if (!scores.empty()) object.error("out-of-range", scores, "", out);
  const std::string refusal = model::compute_problem(*model, scenario.compute);
  if (!refusal.empty()) object.error("not-modelled", refusal, "", out);
}

}  // namespace heddle::io
