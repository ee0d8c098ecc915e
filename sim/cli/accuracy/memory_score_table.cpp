#include <fmt/format.h>

#include <algorithm>

#include "sim/base/units_text.h"
#include "sim/cli/accuracy/memory_score.h"
#include "sim/cli/accuracy/report.h"
#include "sim/cli/text_table.h"

namespace heddle::cli::accuracy {
namespace {

/// GB, or copies of the hidden state.
std::string figure_text(const MemoryRecord& record, double value) {
  const bool copies = record.read == MemoryReading::kActivationCopies;
  return copies ? format_significant(value, 3) + " copies" : fmt::format("{:.3f}", value * 1e-9);
}

std::string verdicts_word(const MemoryRecord& record) {
  if (record.unsafe_at_97()) return "UNSAFE";
  return record.refused_at_110() ? "refused" : "right";
}

std::string records_text(const MemoryScores& scores) {
  TextTable table({{"point", "", Align::kLeft},
                   {"predicted", "GB"},
                   {"measured", "GB"},
                   {"error", "%"},
                   {"verdicts", "", Align::kLeft},
                   {"quantity", "", Align::kLeft},
                   {"allocated peaks in", "", Align::kLeft}});
  for (const MemoryRecord& r : scores.records) {
    table.add_row({r.id, figure_text(r, r.predicted), figure_text(r, r.measured),
                   fmt::format("{:+.1f}", r.error_pct), verdicts_word(r),
                   std::string(to_string(r.read)), r.peak_at});
  }
  return table.render(0);
}

std::string groups_text(const MemoryScores& scores) {
  TextTable table({{"group", "", Align::kLeft},
                   {"n", ""},
                   {"mean |error|", "%"},
                   {"median", "%"},
                   {"p90", "%"},
                   {"worst", "%"},
                   {"mean signed", "%"}});
  for (const MemoryGroup& group : memory_groups(scores)) {
    const GroupStatistics& s = group.statistics;
    table.add_row({s.name, fmt::format("{}", s.n), fmt::format("{:.2f}", s.mean_abs_pct),
                   fmt::format("{:.2f}", s.median_abs_pct), fmt::format("{:.2f}", s.p90_abs_pct),
                   fmt::format("{:.2f}", group.worst_abs_pct),
                   fmt::format("{:+.2f}", s.mean_signed_pct)});
  }
  return "\n" + table.render(0);
}

std::string verdicts_text(const MemoryScores& scores) {
  const auto count = [&](auto test) {
    return std::count_if(scores.records.begin(), scores.records.end(), test);
  };
  const auto unmodelled = static_cast<std::size_t>(
      std::count_if(scores.unsupported.begin(), scores.unsupported.end(), [](const Unsupported& u) {
        return !u.reason.starts_with("missing fact") && !u.reason.starts_with("not a measurement");
      }));
  return fmt::format(
      "\nVerdicts, on the measured quantity: of {} figures, a GPU with 97 % of it is said to "
      "suffice "
      "in {} cases\n(UNSAFE), one with 110 % is refused in {}; \"right\" is neither.\n{} of {} "
      "points are "
      "predicted; of the {} that carry a full configuration {}.\n",
      scores.records.size(), count([](const MemoryRecord& r) { return r.unsafe_at_97(); }),
      count([](const MemoryRecord& r) { return r.refused_at_110(); }), scores.records.size(),
      scores.records.size() + scores.unsupported.size(), scores.records.size() + unmodelled,
      scores.records.size());
}

}  // namespace

std::string memory_score_table(const MemoryScores& scores) {
  return records_text(scores) + groups_text(scores) + verdicts_text(scores) +
         unsupported_text(scores.unsupported);
}

}  // namespace heddle::cli::accuracy
