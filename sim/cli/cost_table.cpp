#include "sim/cli/cost_table.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "sim/base/units_text.h"
#include "sim/cli/text_table.h"

namespace heddle::cli {
namespace {

std::string number(double value) {
  return format_significant(value, 3);
}

std::string number(const std::optional<double>& value, double scale = 1) {
  return value ? number(*value * scale) : "-";
}

void add_amount(const run::CostAmount& amount, std::vector<std::string>& row) {
  row.push_back(number(amount.money));
  row.push_back(number(amount.kwh));
  row.push_back(number(amount.hours));
}

void add_columns(const std::string& of, const std::string& currency, std::vector<Column>& columns) {
  columns.push_back({of, currency});
  columns.push_back({"", "kWh"});
  columns.push_back({"", "h"});
}

TextTable empty_table(const run::CostReport& first, bool images) {
  std::vector<Column> columns{{"case", "", Align::kLeft}, {"step", first.currency}, {"", "Wh"}};
  add_columns(images ? "million samples" : "million tokens", first.currency, columns);
  if (first.epoch) add_columns("epoch", first.currency, columns);
  if (first.run) add_columns("run", first.currency, columns);
  columns.push_back({"waiting", "%"});
  columns.push_back({"for wires", first.currency});
  return TextTable(columns);
}

std::vector<std::string> row(const run::CaseResult& result) {
  const run::CostReport& cost = *result.cost;
  std::vector<std::string> cells{result.case_id, number(cost.step.all.money),
                                 number(cost.step.all.kwh, 1000)};
  add_amount(cost.million.all, cells);
  if (cost.epoch) add_amount(cost.epoch->all, cells);
  if (cost.run) add_amount(cost.run->all, cells);
  const double waiting = result.accounting.exposed_comm.seconds() / result.step_time.seconds();
  cells.push_back(number(waiting * 100));
  cells.push_back(number(cost.run ? cost.run->waiting.money : cost.million.waiting.money));
  return cells;
}

}  // namespace

std::string cost_table(const run::Study& study, std::span<const run::CaseResult> results) {
  if (results.empty() || !results.front().cost) return "";
  const run::CostReport& first = *results.front().cost;
  TextTable table = empty_table(first, study.scenario().model.family == model::Family::kVit);
  for (const run::CaseResult& result : results) table.add_row(row(result));
  return fmt::format(
             "Cost of all GPUs at {} {} per GPU-hour; a GPU draws {} W busy, {} W idle; PUE {}\n",
             number(first.price), first.currency, number(first.power_busy),
             number(first.power_idle), number(first.pue)) +
         table.render(2) + '\n';
}

}  // namespace heddle::cli
