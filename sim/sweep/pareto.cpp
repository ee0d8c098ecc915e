#include "sim/sweep/pareto.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "sim/base/nearest_name.h"

namespace heddle::sweep {
namespace {

/// Less is better in each; nothing if a cell holds no number.
std::optional<std::vector<double>> losses_of(const Row& row, const std::vector<std::size_t>& goals,
                                             const std::vector<Column>& columns) {
  std::vector<double> losses;
  for (const std::size_t goal : goals) {
    double value = 0;
    if (const auto* whole = std::get_if<std::int64_t>(&row.cells[goal])) {
      value = static_cast<double>(*whole);
    } else if (const auto* real = std::get_if<double>(&row.cells[goal])) {
      value = *real;
    } else {
      return std::nullopt;
    }
    losses.push_back(columns[goal].better == Better::kMore ? -value : value);
  }
  return losses;
}

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

struct Candidate {
  std::vector<double> losses;
  std::size_t row = 0;
};

}  // namespace

Parsed<std::vector<std::size_t>> parse_goals(std::string_view text,
                                             const std::vector<Column>& columns) {
  constexpr const char* kHint = "write columns like step_time,memory";
  std::vector<std::size_t> goals;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string name(text.substr(0, comma));
    const std::size_t column = find_column(columns, name);
    if (column == columns.size()) {
      return {std::nullopt, fmt::format("no column \"{:.80}\"", name),
              suggest_name(name, short_names(columns))};
    }
    if (columns[column].better == Better::kNeither) {
      return {std::nullopt, fmt::format("neither less nor more of {} is better", name), kHint};
    }
    goals.push_back(column);
    if (comma == std::string_view::npos) return {goals, "", ""};
    text.remove_prefix(comma + 1);
  }
}

std::vector<Row> non_dominated(std::vector<Row> rows, const std::vector<std::size_t>& goals,
                               const std::vector<Column>& columns) {
  std::vector<Candidate> front;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto losses = losses_of(rows[i], goals, columns);
    if (!losses) continue;
    const bool beaten = std::any_of(front.begin(), front.end(), [&](const Candidate& other) {
      return dominates(other.losses, *losses);
    });
    if (beaten) continue;
    std::erase_if(front, [&](const Candidate& other) { return dominates(*losses, other.losses); });
    front.push_back({std::move(*losses), i});
  }
  std::vector<Row> kept;
  for (const Candidate& candidate : front) kept.push_back(std::move(rows[candidate.row]));
  return kept;
}

}  // namespace heddle::sweep
