#include "sim/cli/accuracy/json_statistics.h"
#include "sim/cli/accuracy/training_report.h"

namespace heddle::cli::accuracy {
namespace {

void write_ranking(const TrainingRanking& ranking, io::JsonWriter& json) {
  json.key("ranking")
      .begin_object()
      .field("groups", static_cast<std::int64_t>(ranking.groups))
      .field("pairs", static_cast<std::int64_t>(ranking.pairs))
      .field("ordered_pct", ranking.ordered_pct())
      .field("kendall_tau", ranking.rank_correlation)
      .field("mean_regret_pct", ranking.mean_regret_pct)
      .field("worst_regret_pct", ranking.worst_regret_pct)
      .end_object();
}

void write_parts(const StepParts& parts, io::JsonWriter& json) {
  json.key("parts_s")
      .begin_object()
      .field("arithmetic", parts.arithmetic)
      .field("attention", parts.attention)
      .field("memory", parts.memory)
      .field("floor", parts.floor)
      .field("slowed", parts.slowed)
      .field("exposed_comm", parts.exposed)
      .field("host", parts.host)
      .field("other", parts.other)
      .end_object();
}

void write_record(const TrainingScore& score, io::JsonWriter& json) {
  json.begin_object()
      .field("id", score.measured.id)
      .field("family", score.family())
      .field("group", score.measured.group)
      .field("gpus", score.measured.gpus)
      .field("nodes", score.measured.nodes == 1 ? "one" : "many")
      .field("scored", score.scored)
      .field("predicted_s", score.predicted_s)
      .field("measured_s", *score.measured.step_s)
      .field("error_pct", score.error_pct)
      .field("fitted_to_its_family", score.story.fitted);
  if (score.left_out_error_pct) json.field("left_out_error_pct", *score.left_out_error_pct);
  write_parts(score.parts, json);
  json.field("memory", run::to_string(score.verdict));
  write_texts("assumptions", score.story.assumptions, json);
  json.end_object();
}

}  // namespace

void write_training_score(const TrainingScores& scores, io::JsonWriter& json) {
  write_groups(training_groups(scores), json);
  write_ranking(training_ranking(scores), json);
  json.field("peaks_only", static_cast<std::int64_t>(scores.peaks_only));
  write_unsupported(scores.unsupported, json);
  json.key("records").begin_array();
  for (const TrainingScore& score : scores.records) write_record(score, json);
  json.end_array();
}

}  // namespace heddle::cli::accuracy
