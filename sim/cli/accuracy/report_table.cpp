#include <fmt/format.h>

#include <algorithm>

#include "sim/base/units_text.h"
#include "sim/cli/accuracy/report.h"
#include "sim/cli/text_table.h"

namespace heddle::cli::accuracy {
namespace {

std::string number(const std::optional<double>& value) {
  return value ? format_significant(*value, 4) : "-";
}

std::string number(const std::optional<Measured>& measured) {
  if (!measured) return "-";
  if (measured->low == measured->high) return format_significant(measured->low, 3);
  return format_significant(measured->low, 3) + " to " + format_significant(measured->high, 3);
}

std::string signed_text(double pct) {
  return fmt::format("{:+.1f}", pct);
}

std::string relation_text(const std::optional<bool>& met) {
  if (!met) return "";
  return *met ? "met" : "MISSED";
}

std::string records_text(const std::vector<Record>& records) {
  TextTable table({{"anchor", "", Align::kLeft},
                   {"predicted", ""},
                   {"measured", ""},
                   {"error", "%"},
                   {"relation", "", Align::kLeft},
                   {"quantity", "", Align::kLeft}});
  for (const Record& r : records) {
    table.add_row({r.id, number(r.predicted.value), number(r.measured),
                   r.error_pct ? signed_text(*r.error_pct) : "-", relation_text(r.relation_met()),
                   r.predicted.quantity});
  }
  return table.render(0);
}

std::string figures_text(const std::vector<Record>& records) {
  std::string text;
  for (const Record& r : records) {
    for (const std::string& figure : r.predicted.figures) {
      text += fmt::format("  {}: {}\n", r.id, figure);
    }
  }
  return text.empty() ? text : "\nFigures behind the rows\n" + text;
}

void add_group(TextTable& table, const GroupStatistics& g, const std::string& note) {
  table.add_row({g.name + note, fmt::format("{}", g.n), fmt::format("{:.2f}", g.mean_abs_pct),
                 fmt::format("{:.2f}", g.median_abs_pct), fmt::format("{:.2f}", g.p90_abs_pct),
                 fmt::format("{:+.2f}", g.mean_signed_pct)});
}

std::string groups_text(const Score& score) {
  TextTable table({{"group", "", Align::kLeft},
                   {"n", ""},
                   {"mean |error|", "%"},
                   {"median", "%"},
                   {"p90", "%"},
                   {"mean signed", "%"}});
  const auto groups = group_statistics(score.records);
  for (const GroupStatistics& g : groups) {
    add_group(table, g, is_primary(g.name) ? "" : " (not in overall)");
  }
  add_group(table, overall_statistics(groups), ", mean of groups");
  return "\n" + table.render(0);
}

std::string assumptions_text(const std::vector<Record>& records) {
  std::vector<std::string> said;
  std::string text;
  for (const Record& r : records) {
    for (const std::string& assumption : r.assumptions) {
      if (std::find(said.begin(), said.end(), assumption) != said.end()) continue;
      said.push_back(assumption);
      text += "  - " + assumption + '\n';
    }
  }
  return text.empty() ? text : "\nRests on\n" + text;
}

}  // namespace

std::string unsupported_text(const std::vector<Unsupported>& unsupported) {
  std::string text;
  for (const Unsupported& u : unsupported) text += fmt::format("  {}: {}\n", u.id, u.reason);
  return text.empty() ? text : "\nNot predicted\n" + text;
}

std::string score_table(const Score& score) {
  return records_text(score.records) + figures_text(score.records) + groups_text(score) +
         assumptions_text(score.records) + unsupported_text(score.unsupported);
}

}  // namespace heddle::cli::accuracy
