#include <fmt/format.h>

#include <map>

#include "sim/base/units_text.h"
#include "sim/cli/accuracy/training_report.h"
#include "sim/cli/memory_text.h"
#include "sim/cli/text_table.h"

namespace heddle::cli::accuracy {
namespace {

std::string note(const TrainingScore& score) {
  std::string text = score.scored ? "" : "not scored: " + score.measured.quality;
  if (score.verdict == run::Verdict::kDoesNotFit) text += text.empty() ? "" : ", ";
  return score.verdict == run::Verdict::kDoesNotFit ? text + "said not to fit" : text;
}

std::string share_text(double part, const TrainingScore& score) {
  return fmt::format("{:.0f}", 100 * part / score.predicted_s);
}

std::string records_text(const std::vector<TrainingScore>& records) {
  TextTable table({{"record", "", Align::kLeft},
                   {"GPUs", ""},
                   {"measured", "s"},
                   {"predicted", "s"},
                   {"error", "%"},
                   {"arithmetic", "% of step"},
                   {"memory", "%"},
                   {"slowed", "%"},
                   {"exposed comm", "%"},
                   {"host", "%"},
                   {"note", "", Align::kLeft}});
  for (const TrainingScore& s : records) {
    table.add_row({s.measured.id, fmt::format("{}", s.measured.gpus),
                   format_significant(*s.measured.step_s, 3), format_significant(s.predicted_s, 3),
                   fmt::format("{:+.1f}", s.error_pct), share_text(s.parts.arithmetic, s),
                   share_text(s.parts.memory + s.parts.floor, s), share_text(s.parts.slowed, s),
                   share_text(s.parts.exposed, s), share_text(s.parts.host + s.parts.other, s),
                   note(s)});
  }
  return "Step times, predicted against measured\n" + table.render(0);
}

void add_group(TextTable& table, const std::string& by, const GroupStatistics& g) {
  table.add_row({by, g.name, fmt::format("{}", g.n), fmt::format("{:.1f}", g.median_abs_pct),
                 fmt::format("{:.1f}", g.mean_abs_pct), fmt::format("{:.1f}", g.p90_abs_pct),
                 fmt::format("{:+.1f}", g.mean_signed_pct)});
}

std::string groups_text(const TrainingScores& scores) {
  TextTable table({{"by", "", Align::kLeft},
                   {"group", "", Align::kLeft},
                   {"records", ""},
                   {"median |error|", "%"},
                   {"mean", "%"},
                   {"p90", "%"},
                   {"mean signed", "%"}});
  const auto groups = training_groups(scores);
  for (const ScoredGroup& group : groups) add_group(table, group.by, group.statistics);
  GroupStatistics overall = overall_of(groups);
  overall.name = "mean of families";
  add_group(table, "", overall);
  return table.render(0);
}

std::string ranking_text(const TrainingScores& scores) {
  const TrainingRanking r = training_ranking(scores);
  return fmt::format(
      "\nChoice: in {} groups of comparable records {} pairs differ by more than 5 % in\n"
      "tokens/s per GPU; {:.1f} % of them are ordered as measured (Kendall's tau {:.3f}).\n"
      "Picking the predicted best of a group loses {:.1f} % of throughput on average, {:.1f} % at "
      "worst.\n",
      r.groups, r.pairs, r.ordered_pct(), r.rank_correlation, r.mean_regret_pct,
      r.worst_regret_pct);
}

std::string coverage_text(const TrainingScores& scores) {
  std::map<std::string, std::size_t> reasons;
  for (const Unsupported& u : scores.unsupported) ++reasons[u.reason];
  const std::size_t timed = scores.records.size() + scores.unsupported.size();
  std::string text = fmt::format(
      "\n{} of {} data-parallel records of grade A or B that give a time are predicted ({:.0f} %); "
      "{}\nmore give a peak of memory only.\n",
      scores.records.size(), timed,
      timed == 0 ? 0.0
                 : 100.0 * static_cast<double>(scores.records.size()) / static_cast<double>(timed),
      scores.peaks_only);
  for (const auto& [reason, count] : reasons) text += fmt::format("  {:>3}  {}\n", count, reason);
  return text;
}

}  // namespace

std::string training_score_table(const TrainingScores& scores) {
  return records_text(scores.records) + "\n" + training_summary(scores);
}

std::string training_summary(const TrainingScores& scores) {
  return groups_text(scores) + ranking_text(scores) + coverage_text(scores);
}

}  // namespace heddle::cli::accuracy
