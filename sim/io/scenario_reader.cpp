#include "sim/io/scenario_reader.h"

#include <fmt/format.h>

#include <limits>

#include "sim/allocator/alloc_conf.h"
#include "sim/io/fabric_reader.h"
#include "sim/io/json_document.h"
#include "sim/io/model_reader.h"
#include "sim/io/overrides.h"
#include "sim/io/percent_text.h"
#include "sim/io/scenario_fields.h"
#include "sim/io/scenario_files.h"
#include "sim/io/scenario_hash.h"
#include "sim/io/scenario_version.h"
#include "sim/io/strategy_reader.h"
#include "sim/io/training_import/decision_text.h"
#include "sim/io/training_import/scenario_settings.h"
#include "sim/io/training_reader.h"
#include "sim/model/compute_check.h"

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
  host.per_dispatch = fields.host_time("per_dispatch");
  host.per_collective = fields.host_time("per_collective");
  fields.finish();
  return host;
}

double read_headroom(const Value& value, double otherwise, Diagnostics& out) {
  if (value.kind() != JsonKind::kString) {
    value.error("bad-quantity", "must be a string with a %", "write it like \"2 %\"", out);
    return otherwise;
  }
  const auto text = value.as_string(out);
  Parsed<double> share = parse_percent(*text);
  if (!share.value) value.error("bad-quantity", share.reason, share.hint, out);
  return share.value.value_or(otherwise);
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
  if (const auto value = fields.required("host")) scenario.host = read_host(*value, out);
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
  if (const auto value = fields.optional("headroom")) {
    scenario.headroom = read_headroom(*value, scenario.headroom, fields.diagnostics());
  }
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
