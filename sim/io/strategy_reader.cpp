#include "sim/io/strategy_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/nearest_name.h"
#include "sim/io/choice_list.h"
#include "sim/io/option_visitors.h"
#include "sim/io/scenario_fields.h"
#include "sim/io/training_import/training_kinds.h"
#include "sim/parallel/strategy.h"

namespace heddle::io {
namespace {

/// nullptr after a diagnostic at `at`.
const parallel::StrategyEntry* known_strategy(const std::string& name, const Value& at,
                                              Diagnostics& out) {
  const parallel::StrategyEntry* entry = parallel::find_strategy(name);
  if (entry != nullptr) return entry;
  std::vector<std::string> names;
  for (const parallel::StrategyEntry& known : parallel::strategies()) names.push_back(known.name);
  at.error("unknown-strategy", fmt::format("unknown strategy \"{:.80}\"", name),
           suggest_name(name, names), out);
  return nullptr;
}

std::string read_dialect(const std::optional<Value>& value, const parallel::StrategyEntry& entry,
                         Diagnostics& out) {
  if (!value) return entry.dialects.front();
  const auto name = value->as_string(out);
  if (!name) return "";
  if (std::find(entry.dialects.begin(), entry.dialects.end(), *name) == entry.dialects.end()) {
    value->error("unknown-dialect",
                 fmt::format("strategy \"{}\" has no dialect \"{:.80}\"", entry.name, *name),
                 suggest_name(*name, entry.dialects), out);
  }
  return *name;
}

void read_dialect_options(const Value& object, run::StrategyChoice& choice, Diagnostics& out) {
  with_dialect(choice.dialect, choice.options, [&](auto& options) {
    ScenarioFields fields(object, out);
    read_options(fields, options);
    fields.finish();
  });
}

run::StrategyChoice read_named(const Value& value, ChoiceIds& ids, Diagnostics& out) {
  run::StrategyChoice choice;
  choice.strategy = value.as_string(out).value_or("");
  const auto* entry = known_strategy(choice.strategy, value, out);
  if (entry == nullptr) return choice;
  choice.id = choice.strategy;
  choice.dialect = entry->dialects.front();
  ids.claim(choice.id, value, out);
  return choice;
}

run::StrategyChoice read_object(const Value& object, ChoiceIds& ids, Diagnostics& out) {
  ScenarioFields fields(object, out);
  run::StrategyChoice choice;
  choice.strategy = fields.text("strategy");
  const auto dialect = fields.optional("dialect");
  const auto options = fields.optional("options");
  const auto id = fields.optional("id");
  choice.id = id ? fields.text("id") : choice.strategy;
  fields.finish();
  if (choice.strategy.empty()) return choice;
  ids.claim(choice.id, id.value_or(object), out);
  const auto* entry = known_strategy(choice.strategy, *fields.object().member("strategy"), out);
  if (entry == nullptr) return choice;
  choice.dialect = read_dialect(dialect, *entry, out);
  if (options) read_dialect_options(*options, choice, out);
  return choice;
}

void add_without_effect(const TrainingSetup& setup, run::StrategyChoice& choice) {
  if (setup.without_effect.empty()) return;
  choice.decisions.push_back({"no effect here",
                              fmt::format("{}", fmt::join(setup.without_effect, ", ")), "nothing",
                              "they touch neither memory nor time"});
}

/// A strategy as a framework's own configuration file has it.
run::StrategyChoice read_from(const Value& object, ChoiceIds& ids, ImportContext& context) {
  ScenarioFields fields(object, context.out);
  run::StrategyChoice choice;
  choice.from = fields.text("from");
  const auto id = fields.optional("id");
  if (id) choice.id = fields.text("id");
  for (const std::string_view key : {"strategy", "dialect", "options"}) {
    if (const auto value = fields.optional(key)) {
      value->error("conflict", "the file decides that", "take it out, or leave \"from\" out",
                   context.out);
    }
  }
  fields.finish();
  if (choice.from.empty()) return choice;
  TrainingSetup setup = import_training(choice.from, *object.member("from"), context);
  if (setup.strategy.empty()) return choice;
  choice.strategy = setup.strategy;
  choice.dialect = setup.dialect;
  choice.options = setup.options;
  choice.decisions = std::move(setup.decisions);
  add_without_effect(setup, choice);
  if (!id) choice.id = choice.strategy;
  ids.claim(choice.id, id.value_or(object), context.out);
  return choice;
}

run::StrategyChoice read_one(const Value& item, ChoiceIds& ids, ImportContext& context) {
  if (item.kind() == JsonKind::kString) return read_named(item, ids, context.out);
  if (item.member("from")) return read_from(item, ids, context);
  return read_object(item, ids, context.out);
}

}  // namespace

std::vector<run::StrategyChoice> read_strategies(const Value& list, ImportContext& context) {
  std::vector<run::StrategyChoice> choices;
  ChoiceIds ids;
  for (const Value& item : choice_items(list, context.out)) {
    choices.push_back(read_one(item, ids, context));
    choices.back().pointer = item.pointer();
    choices.back().line = item.line();
  }
  return choices;
}

}  // namespace heddle::io
