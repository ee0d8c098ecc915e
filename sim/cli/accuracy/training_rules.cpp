#include "sim/cli/accuracy/training_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/cli/accuracy/plan_fields.h"
#include "sim/io/json_text.h"

namespace heddle::cli::accuracy {
namespace {

constexpr const char* kSchema = "heddle.training-plan/1";

std::string optional_patch(io::ObjectReader& reader, std::string_view key, Diagnostics& out) {
  const auto value = reader.optional(key);
  if (!value) return "";
  if (value->kind() != io::JsonKind::kObject) {
    value->error("wrong-type", "must be an object", "write the keys to set", out);
    return "";
  }
  return io::json_text(*value);
}

/// A rule may read what a record says, never what was measured or which record it is.
bool is_allowed(const std::string& name) {
  return name != "id" && !name.starts_with("measured.");
}

TrainingRule read_rule(const io::Value& value, Diagnostics& out) {
  io::ObjectReader reader(value, out);
  TrainingRule rule;
  if (const auto when = reader.required("when")) {
    for (const std::string& name : when->keys()) {
      const io::Value member = *when->member(name);
      if (!is_allowed(name)) {
        member.error("forbidden", "a rule must not read \"" + name + "\"",
                     "read the record's configuration", out);
      }
      if (auto pattern = TextPattern::read(member, out)) rule.when[name] = std::move(*pattern);
    }
  }
  rule.unsupported = optional_text(reader, "unsupported", out);
  rule.scenario = optional_patch(reader, "scenario", out);
  rule.fabric = optional_patch(reader, "fabric", out);
  rule.strategy = optional_patch(reader, "strategy", out);
  rule.config = optional_patch(reader, "config", out);
  rule.fitted_to = optional_text_list(reader, "fitted_to", out);
  rule.assumptions = optional_text_list(reader, "assumptions", out);
  reader.finish();
  return rule;
}

/// The value as a pattern sees it: texts without quotes, "null" where the record has none.
std::string words_of(const TrainingRecord& record, const std::string& name) {
  const auto found = record.values.find(name);
  if (found == record.values.end()) return "null";
  const std::string& text = found->second;
  return text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
}

bool fits(const TrainingRule& rule, const TrainingRecord& record) {
  return std::all_of(rule.when.begin(), rule.when.end(), [&](const auto& entry) {
    return entry.second.found_in(words_of(record, entry.first));
  });
}

bool is_fitted_to(const TrainingRule& rule, const TrainingRecord& record) {
  return std::find(rule.fitted_to.begin(), rule.fitted_to.end(), record.family) !=
         rule.fitted_to.end();
}

/// What the rules have laid over one another so far.
struct Layers {
  std::string scenario;
  std::string fabric;
  std::string strategy;
  std::string config;

  bool complete() const {
    return !scenario.empty() && !fabric.empty() && !strategy.empty() && !config.empty();
  }
};

void lay_over(const std::string& patch, std::string& layer) {
  if (!patch.empty()) layer = io::merge_patch(layer, patch);
}

void lay_over(const TrainingRule& rule, Layers& layers, TrainingStory& story) {
  lay_over(rule.scenario, layers.scenario);
  lay_over(rule.fabric, layers.fabric);
  lay_over(rule.strategy, layers.strategy);
  lay_over(rule.config, layers.config);
  story.assumptions.insert(story.assumptions.end(), rule.assumptions.begin(),
                           rule.assumptions.end());
}

std::string fill(const std::string& text, const TrainingRecord& record, TrainingStory& story) {
  io::FilledTemplate filled = io::fill_template(text, record.values);
  if (!filled.unknown.empty() && story.unsupported.empty()) {
    story.unsupported = fmt::format("missing fact: {}", fmt::join(filled.unknown, ", "));
  }
  return std::move(filled.text);
}

}  // namespace

std::optional<std::vector<TrainingRule>> read_training_rules(std::string_view text,
                                                             const std::string& file,
                                                             Diagnostics& out) {
  const auto document = io::JsonDocument::parse(text, file, out);
  if (!document) return std::nullopt;
  io::ObjectReader root(document->root(), out);
  check_schema(root, kSchema, out);
  std::vector<TrainingRule> rules;
  if (const auto list = root.required("rules")) {
    for (const io::Value& rule : list->items(out)) rules.push_back(read_rule(rule, out));
  }
  root.finish();
  if (out.has_errors()) return std::nullopt;
  return rules;
}

TrainingStory tell(const TrainingRecord& record, const std::vector<TrainingRule>& rules,
                   bool leave_out) {
  TrainingStory story;
  Layers layers;
  for (const TrainingRule& rule : rules) {
    if (!fits(rule, record)) continue;
    if (!rule.unsupported.empty()) {
      story.unsupported = rule.unsupported;
      return story;
    }
    const bool fitted = is_fitted_to(rule, record);
    if (fitted && leave_out) continue;
    story.fitted = story.fitted || fitted;
    lay_over(rule, layers, story);
  }
  if (!layers.complete()) {
    story.unsupported = "unmodelled feature: no rule knows this software";
    return story;
  }
  lay_over(
      fmt::format(R"({{"fabrics": [{}], "strategies": [{}]}})", layers.fabric, layers.strategy),
      layers.scenario);
  story.scenario = fill(layers.scenario, record, story);
  story.config = fill(layers.config, record, story);
  return story;
}

}  // namespace heddle::cli::accuracy
