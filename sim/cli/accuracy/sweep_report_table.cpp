#include <fmt/format.h>

#include "sim/base/units_text.h"
#include "sim/cli/accuracy/report.h"
#include "sim/cli/accuracy/sweep_groups.h"
#include "sim/cli/accuracy/sweep_report.h"
#include "sim/cli/text_table.h"

namespace heddle::cli::accuracy {
namespace {

std::string class_text(const SweepScore& score, SizeClass size) {
  const auto error = score.error(size);
  return error ? fmt::format("{:+.1f}", error->median_signed_pct) : "-";
}

std::string note(const SweepScore& score) {
  std::string text = score.standing == Standing::kScored ? "" : to_string(score.standing);
  if (score.standing == Standing::kNotComparable) text += ": " + score.measured.quality;
  if (!score.measured.citable) text += text.empty() ? "not citable" : ", not citable";
  return text;
}

std::string records_text(const std::vector<SweepScore>& records) {
  TextTable table({{"sweep", "", Align::kLeft},
                   {"collective", "", Align::kLeft},
                   {"points", ""},
                   {">= 64 MiB", "%"},
                   {"between", "%"},
                   {"<= 64 KiB", "%"},
                   {"machine as read", "", Align::kLeft},
                   {"note", "", Align::kLeft}});
  for (const SweepScore& s : records) {
    table.add_row({s.measured.id, std::string(schedule::to_string(s.kind)),
                   fmt::format("{}", s.points.size()), class_text(s, SizeClass::kLarge),
                   class_text(s, SizeClass::kMiddle), class_text(s, SizeClass::kSmall), s.machine,
                   note(s)});
  }
  return "Signed median error of time per sweep\n" + table.render(0);
}

void add_group(TextTable& table, const std::string& by, const GroupStatistics& g) {
  table.add_row({by, g.name, fmt::format("{}", g.n), fmt::format("{:.2f}", g.median_abs_pct),
                 fmt::format("{:.2f}", g.mean_abs_pct), fmt::format("{:.2f}", g.p90_abs_pct),
                 fmt::format("{:+.2f}", g.mean_signed_pct)});
}

std::string groups_text(const SweepScores& scores) {
  TextTable table({{"by", "", Align::kLeft},
                   {"group", "", Align::kLeft},
                   {"sweeps", ""},
                   {"median |error|", "%"},
                   {"mean", "%"},
                   {"p90", "%"},
                   {"mean signed", "%"}});
  const auto groups = sweep_groups(scores);
  for (const ScoredGroup& group : groups) add_group(table, group.by, group.statistics);
  add_group(table, "", overall_of(groups));
  return "\n" + table.render(0);
}

std::string factors_text(const std::vector<SiblingFactor>& factors) {
  if (factors.empty()) return "";
  TextTable table({{"forced", "", Align::kLeft},
                   {"beside", "", Align::kLeft},
                   {"measured", "times longer"},
                   {"predicted", "times longer"},
                   {"error", "%"},
                   {"direction", "", Align::kLeft}});
  for (const SiblingFactor& f : factors) {
    table.add_row({f.id, f.sibling, format_significant(f.measured, 3),
                   format_significant(f.predicted, 3), fmt::format("{:+.1f}", f.error_pct()),
                   f.same_direction() ? "met" : "MISSED"});
  }
  return "\n" + table.render(0);
}

}  // namespace

std::string sweep_score_table(const SweepScores& scores) {
  return records_text(scores.records) + groups_text(scores) + factors_text(scores.factors) +
         unsupported_text(scores.unsupported);
}

}  // namespace heddle::cli::accuracy
