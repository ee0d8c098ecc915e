#include "sim/io/scenario_reader.h"

#include <fmt/format.h>

#include <limits>

#include "sim/allocator/alloc_conf.h"
#include "sim/io/cost_reader.h"
#include "sim/io/fabric_reader.h"
#include "sim/io/json_document.h"
#include "sim/io/model_reader.h"
#include "sim/io/option_visitors.h"
#include "sim/io/overrides.h"
#include "sim/io/scenario_fields.h"
#include "sim/io/scenario_files.h"
#include "sim/io/scenario_hash.h"
#include "sim/io/scenario_version.h"
#include "sim/io/strategy_reader.h"
#include "sim/io/training_import/decision_text.h"
#include "sim/io/training_import/scenario_settings.h"
#include "sim/io/training_reader.h"
#include "sim/model/compute_check.h"
#include "sim/run/cost/cost.h"

namespace heddle::io {
namespace {

/// False if the file is of a newer version, whose keys would only be misread.
bool check_schema(ScenarioFields& fields) {
  const std::string schema = fields.text("schema");
  if (schema.empty() || schema == kScenarioSchema) return true;
  const bool newer = schema.starts_with(kScenarioSchemaName);
  fields.object().member("schema")->error(
      "unsupported-schema",
      fmt::format("schema \"{:.80}\" is not supported, this program reads \"{}\"", schema,
                  kScenarioSchema),
      newer ? "use a newer program, or write the scenario in the older version" : "",
      fields.diagnostics());
  return !newer;
}

run::HostChoice read_host(const Value& object, Diagnostics& out) {
  ScenarioFields fields(object, out);
  run::HostChoice host;
  host.per_dispatch = fields.host_time_or("per_dispatch", host.per_dispatch);
  host.per_collective = fields.host_time_or("per_collective", host.per_collective);
  host.run_ahead = fields.integer_or("run_ahead", 1, kMaxOptionCount, host.run_ahead);
  host.cuda_graph = fields.flag_or("cuda_graph", false);
  host.per_step = fields.host_time_or("per_step", host.per_step);
  fields.finish();
  return host;
}

run::VariationChoice read_variation(const Value& object, Diagnostics& out) {
  ScenarioFields fields(object, out);
  run::VariationChoice choice;
  read_options(fields, choice);
  if (choice.straggler_fast < choice.straggler_slow) {
    object.error("out-of-range", "straggler_fast is below straggler_slow",
                 "straggler_fast is the higher speed", out);
  }
  fields.finish();
  return choice;
}

run::AllocatorChoice read_allocator(const Value& value, Diagnostics& out) {
  run::AllocatorChoice choice;
  choice.text = value.as_string(out).value_or("");
  Diagnostics found;
  const auto config = allocator::parse_alloc_conf(choice.text, value.pointer(), found);
  for (const Diagnostic& fault : found.all()) {
    if (fault.severity == Severity::kError) {
      value.error(fault.code, fault.message, fault.hint, out);
    } else {
      out.add({fault.severity, fault.code, value.file(), value.pointer(), value.line(),
               fault.message, fault.hint});
    }
  }
  choice.config = config.value_or(allocator::AllocatorConfig{});
  return choice;
}

void check_cost(const Value& object, const run::Scenario& scenario, Diagnostics& out) {
  const bool counts_samples = scenario.model.family == model::Family::kVit;
  const std::string problem = run::cost_problem(*scenario.cost, counts_samples);
  if (!problem.empty()) object.error("not-applicable", problem, "", out);
}

/// Configuration files of strategies may fill in what the training leaves open.
void read_all_strategies(const Value& list, const std::optional<Value>& training,
                         ScenarioFiles& files, run::Scenario& scenario, Diagnostics& out) {
  ScenarioSettings settings(training, scenario, out);
  ImportContext context{std::nullopt, settings, files, out};
  if (scenario.model.hidden > 0) context.hidden = scenario.model.hidden;
  scenario.strategies = read_strategies(list, context);
  bool imported = false;
  for (const run::StrategyChoice& choice : scenario.strategies) {
    imported = imported || !choice.from.empty();
    for (std::string& text : decision_texts(choice)) {
      scenario.assumptions.push_back(std::move(text));
    }
  }
  if (!imported || out.has_errors()) return;
  const std::string refusal = model::compute_problem(scenario.model, scenario.compute);
  if (!refusal.empty()) list.error("not-modelled", refusal, "", out);
}

void read_parts(ScenarioFields& fields, ScenarioFiles& files, run::Scenario& scenario) {
  Diagnostics& out = fields.diagnostics();
  ModelChoice model;
  if (const auto value = fields.required("model")) model = read_model(*value, files, out);
  scenario.model_config = model.config;
  scenario.model_layers = model.layers;
  if (const auto value = fields.required("training")) {
    read_training(*value, model.spec, scenario, out);
  }
  if (model.spec) scenario.model = std::move(*model.spec);
  if (model.spec && scenario.cost) check_cost(*fields.object().member("cost"), scenario, out);
  if (const auto value = fields.optional("host")) scenario.host = read_host(*value, out);
  if (const auto value = fields.required("fabrics")) {
    scenario.fabrics = read_fabrics(*value, files, out);
  }
  if (const auto value = fields.required("strategies")) {
    read_all_strategies(*value, fields.object().member("training"), files, scenario, out);
  }
}

void read_settings(ScenarioFields& fields, run::Scenario& scenario) {
  scenario.name = fields.text("name");
  scenario.description = fields.text_or("description", "");
  scenario.headroom = fields.share_or("headroom", 0, scenario.headroom);
  if (const auto value = fields.optional("variation")) {
    scenario.variation = read_variation(*value, fields.diagnostics());
  }
  if (const auto value = fields.optional("cost")) {
    scenario.cost = read_cost(*value, fields.diagnostics());
  }
  scenario.software = fields.text_or("software", "");
  if (const auto value = fields.optional("allocator")) {
    scenario.allocator = read_allocator(*value, fields.diagnostics());
  }
  if (const auto value = fields.optional("memory_capacity")) {
    scenario.memory_capacity = value->as_bytes(fields.diagnostics());
  }
  constexpr std::int64_t kMaxSeed = std::numeric_limits<std::int64_t>::max();
  scenario.seed = static_cast<std::uint64_t>(fields.integer_or("seed", 0, kMaxSeed, 0));
  scenario.assumptions = fields.texts("assumptions");
}

}  // namespace

std::optional<run::Scenario> read_scenario(std::string_view text, const std::string& file,
                                           Overrides overrides, const ReadText& read,
                                           Diagnostics& out) {
  const int errors_before = out.error_count();
  const auto parsed = JsonDocument::parse(text, file, out);
  if (!parsed) return std::nullopt;
  const JsonDocument document = apply_overrides(*parsed, overrides, out);
  ScenarioFields fields(document.root(), out);
  if (!check_schema(fields)) return std::nullopt;
  ScenarioFiles files(file, read, out);
  run::Scenario scenario;
  scenario.file = file;
  read_settings(fields, scenario);
  read_parts(fields, files, scenario);
  fields.finish();
  if (out.error_count() > errors_before) return std::nullopt;
  scenario.content_hash = scenario_hash(scenario, files.texts());
  return scenario;
}

}  // namespace heddle::io
