#include "tests/bench/suite/bench_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace heddle::bench {
namespace {

std::string time_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} s", seconds);
}

std::string count_text(double count) {
  if (count >= 1e9) return fmt::format("{:.1f} G", count * 1e-9);
  if (count >= 1e6) return fmt::format("{:.1f} M", count * 1e-6);
  return count >= 1e4 ? fmt::format("{:.1f} k", count * 1e-3) : fmt::format("{:.0f}", count);
}

/// k of quantity ~ n^k from the row before; "" for the first.
std::string exponent(const Row* before, const Row& row, double Row::*quantity) {
  if (before == nullptr || before->workload != row.workload) return "";
  const double sizes = std::log(static_cast<double>(row.size) / static_cast<double>(before->size));
  return fmt::format("{:.2f}", std::log(row.*quantity / (before->*quantity)) / sizes);
}

bool is_met(const Row& row, const Goal& goal) {
  const bool fast = goal.seconds > 0
                        ? row.seconds <= goal.seconds
                        : static_cast<double>(row.done.work) >= goal.rate * row.seconds;
  return fast && (goal.mebibytes == 0 || row.mebibytes <= goal.mebibytes);
}

std::string goal_text(const Row& row, const Goal& goal) {
  std::string text = goal.seconds > 0
                         ? "<= " + time_text(goal.seconds)
                         : fmt::format(">= {}{}/s", count_text(goal.rate), row.workload->unit);
  if (goal.mebibytes > 0) text += fmt::format(", {:.0f} MiB", goal.mebibytes);
  return text;
}

constexpr auto kColumns = "{:<18}{:>10}{:>11}{:>9}{:>9}{:>9}{:>12}{:>14}{:>7}{:>7}  {:<22}{}\n";

}  // namespace

void print_table(const std::vector<Row>& rows, std::ostream& out) {
  out << fmt::format(kColumns, "workload", "n", "time", "peak MiB", "work", "unit", "a unit",
                     "simulated us", "t~n^", "m~n^", "goal", "");
  const Row* before = nullptr;
  for (const Row& row : rows) {
    const auto goal = row.workload->goal(row.size);
    const auto work = static_cast<double>(row.done.work);
    out << fmt::format(
        kColumns, row.workload->name, row.size, time_text(row.seconds),
        fmt::format("{:.1f}", row.mebibytes), count_text(work), row.workload->unit,
        fmt::format("{:.3g} ns", row.seconds / work * 1e9),
        row.done.simulated_us > 0 ? fmt::format("{:.3f}", row.done.simulated_us) : "",
        exponent(before, row, &Row::seconds), exponent(before, row, &Row::mebibytes),
        goal ? goal_text(row, *goal) : "",
        !goal                ? ""
        : is_met(row, *goal) ? "met"
                             : "MISSED");
    before = &row;
  }
}

bool all_met(const std::vector<Row>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    const auto goal = row.workload->goal(row.size);
    return !goal || is_met(row, *goal);
  });
}

}  // namespace heddle::bench
