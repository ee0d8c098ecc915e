#include "sim/cli/accuracy/training_score.h"

#include <fmt/format.h>

#include <map>

#include "sim/cli/accuracy/training_run.h"
#include "sim/cli/explain_text.h"
#include "sim/cli/memory_text.h"
#include "sim/cli/verb_errors.h"

namespace heddle::cli::accuracy {
namespace {

struct Outcome {
  double step_s = 0;
  StepParts parts;
  run::Verdict verdict = run::Verdict::kFits;
};

Outcome simulate(const TrainingStory& story, const Environment& env) {
  const run::Study study = open_story(story, env);
  const run::CaseResult result = study.run(study.cases().front(), false);
  const engine::StepAccounting& step = result.accounting;
  return {result.step_time.seconds(),
          {.arithmetic = result.arithmetic_compute().seconds(),
           .attention = result.attention_compute.seconds(),
           .memory = result.memory_bound_compute.seconds(),
           .floor = result.floor_bound_compute.seconds(),
           .slowed = step.slowed.seconds(),
           .exposed = step.exposed_comm.seconds(),
           .host = step.host.seconds(),
           .other = step.other.seconds()},
          result.memory.verdict};
}

/// Tables repeat each other: a scenario is run once.
class Runs {
 public:
  explicit Runs(const Environment& env) : env_(env) {}

  const Outcome& of(const TrainingStory& story) {
    const std::string key = story.scenario + story.config;
    const auto found = outcomes_.find(key);
    return found == outcomes_.end() ? outcomes_.emplace(key, simulate(story, env_)).first->second
                                    : found->second;
  }

 private:
  const Environment& env_;
  std::map<std::string, Outcome> outcomes_;
};

double error_pct(double predicted, double measured) {
  return 100 * (predicted / measured - 1);
}

/// What a prediction is not compared with, or "".
std::string not_comparable(const TrainingRecord& record) {
  if (record.step_s) return "";
  return record.has_peak ? "" : "missing fact: neither a step time nor a throughput in tokens";
}

TrainingScore score(const TrainingRecord& record, TrainingStory story,
                    const std::vector<TrainingRule>& rules, Runs& runs) {
  const Outcome& outcome = runs.of(story);
  TrainingScore result{.measured = record,
                       .story = std::move(story),
                       .predicted_s = outcome.step_s,
                       .error_pct = error_pct(outcome.step_s, *record.step_s),
                       .left_out_error_pct = std::nullopt,
                       .parts = outcome.parts,
                       .verdict = outcome.verdict,
                       .scored = record.quality == "measured"};
  if (result.story.fitted) {
    const Outcome& unfitted = runs.of(tell(record, rules, true));
    result.left_out_error_pct = error_pct(unfitted.step_s, *record.step_s);
  }
  return result;
}

void add_score(const TrainingRecord& record, const std::vector<TrainingRule>& rules, Runs& runs,
               TrainingScores& scores) {
  std::string reason = not_comparable(record);
  if (!record.step_s && reason.empty()) {
    ++scores.peaks_only;
    return;
  }
  TrainingStory story = tell(record, rules, false);
  if (reason.empty()) reason = story.unsupported;
  try {
    if (reason.empty()) {
      scores.records.push_back(score(record, std::move(story), rules, runs));
      return;
    }
  } catch (const BadInput& problem) {
    reason = first_error(problem.diagnostics());
  }
  scores.unsupported.push_back({record.id, reason});
}

}  // namespace

TrainingScores score_training(const std::vector<TrainingRecord>& records,
                              const std::vector<TrainingRule>& rules, const Environment& env) {
  TrainingScores scores;
  Runs runs(env);
  for (const TrainingRecord& record : records) {
    if (record.data_parallel && record.graded()) add_score(record, rules, runs, scores);
  }
  return scores;
}

std::string training_story(const TrainingRecord& record, const std::vector<TrainingRule>& rules,
                           const Environment& env) {
  const TrainingStory story = tell(record, rules, false);
  std::string text = fmt::format("{}\n", record.id);
  if (!story.unsupported.empty()) return text + "not predicted: " + story.unsupported + '\n';
  text += fmt::format("scenario\n{}{}\n{}", story.scenario, kConfigName, story.config);
  for (const std::string& line : story.assumptions) text += "assumed: " + line + '\n';
  const run::Study study = open_story(story, env);
  const run::CaseResult result = study.run(study.cases().front(), false);
  if (record.step_s) {
    text += fmt::format("\npredicted {:.4g} s, measured {:.4g} s: {:+.1f} %\n",
                        result.step_time.seconds(), *record.step_s,
                        error_pct(result.step_time.seconds(), *record.step_s));
  }
  return text + '\n' + explain_time(result) + '\n' + memory_text(result);
}

}  // namespace heddle::cli::accuracy
