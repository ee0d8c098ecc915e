#include "sim/io/result_csv.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/io/csv_cell.h"
#include "sim/io/three_digits.h"

namespace heddle::io {
namespace {

std::string cell(std::string_view text) {
  return csv_cell(text);
}

std::string cell(Bytes bytes) {
  return fmt::format("{}", bytes.value);
}

std::string cell(Duration time) {
  return fmt::format("{}", time.seconds());
}

std::string cell(double number) {
  return fmt::format("{}", number);
}

struct Column {
  std::string_view name;
  std::string (*text)(const run::CaseResult& result);
};

using Result = run::CaseResult;

constexpr std::array kColumns{
    Column{"case", [](const Result& r) { return cell(r.case_id); }},
    Column{"fabric", [](const Result& r) { return cell(r.fabric_id); }},
    Column{"strategy", [](const Result& r) { return cell(r.strategy); }},
    Column{"dialect", [](const Result& r) { return cell(r.dialect); }},
    Column{"machine", [](const Result& r) { return cell(r.fabric_name); }},
    Column{"gpu", [](const Result& r) { return cell(r.gpu); }},
    Column{"gpus", [](const Result& r) { return fmt::format("{}", r.ranks); }},
    Column{"fits", [](const Result& r) { return fmt::format("{}", r.memory.fits()); }},
    Column{"verdict", [](const Result& r) { return cell(to_string(r.memory.verdict)); }},
    Column{"resident_bytes", [](const Result& r) { return cell(r.memory.resident); }},
    Column{"peak_allocated_bytes", [](const Result& r) { return cell(r.memory.peak_allocated); }},
    Column{"peak_active_bytes", [](const Result& r) { return cell(r.memory.peak_active); }},
    Column{"peak_reserved_bytes", [](const Result& r) { return cell(r.memory.peak_reserved); }},
    Column{"driver_bytes", [](const Result& r) { return cell(r.memory.driver()); }},
    Column{"driver_low_bytes", [](const Result& r) { return cell(r.memory.low); }},
    Column{"driver_high_bytes", [](const Result& r) { return cell(r.memory.high); }},
    Column{"peak_phase", [](const Result& r) { return cell(to_string(r.memory.peak_at.phase)); }},
    Column{"peak_layer", [](const Result& r) { return fmt::format("{}", r.memory.peak_at.layer); }},
    Column{"peak_op", [](const Result& r) { return cell(r.memory.peak_at.name); }},
    Column{"context_bytes", [](const Result& r) { return cell(r.memory.context); }},
    Column{"nccl_bytes", [](const Result& r) { return cell(r.memory.nccl); }},
    Column{"headroom_bytes", [](const Result& r) { return cell(r.memory.headroom); }},
    Column{"needed_bytes", [](const Result& r) { return cell(r.memory.needed()); }},
    Column{"capacity_bytes", [](const Result& r) { return cell(r.memory.capacity); }},
    Column{"step_time_s", [](const Result& r) { return cell(r.step_time); }},
    Column{"tokens_per_s", [](const Result& r) { return cell(r.tokens_per_second); }},
    Column{"samples_per_s", [](const Result& r) { return cell(r.samples_per_second); }},
    Column{"mfu", [](const Result& r) { return cell(r.mfu); }},
    Column{"exposed_comm_s", [](const Result& r) { return cell(r.accounting.exposed_comm); }},
    Column{"compute_s", [](const Result& r) { return cell(r.accounting.compute); }},
    Column{"memory_bound_compute_s", [](const Result& r) { return cell(r.memory_bound_compute); }},
    Column{"floor_bound_compute_s", [](const Result& r) { return cell(r.floor_bound_compute); }},
    Column{"slowed_compute_s", [](const Result& r) { return cell(r.accounting.slowed); }},
    Column{"host_s", [](const Result& r) { return cell(r.accounting.host); }},
    Column{"other_s", [](const Result& r) { return cell(r.accounting.other); }},
    Column{"wire_bytes", [](const Result& r) { return cell(r.wire_bytes); }},
    Column{"bound_by", [](const Result& r) { return cell(r.bound_by); }},
};

std::string known(const std::optional<double>& number) {
  return number ? cell(*number) : "";
}

std::string hours(const std::optional<run::CostOf>& cost) {
  return cost ? cell(cost->all.hours) : "";
}

std::string money(const std::optional<run::CostOf>& cost) {
  return cost ? cell(cost->all.money) : "";
}

std::string kwh(const std::optional<run::CostOf>& cost) {
  return cost ? known(cost->all.kwh) : "";
}

/// Only for scenarios with prices: other tables stay as they were.
constexpr std::array kCostColumns{
    Column{"currency", [](const Result& r) { return cell(r.cost->currency); }},
    Column{"step_money", [](const Result& r) { return cell(r.cost->step.all.money); }},
    Column{"step_kwh", [](const Result& r) { return known(r.cost->step.all.kwh); }},
    Column{"step_waiting_money", [](const Result& r) { return cell(r.cost->step.waiting.money); }},
    Column{"step_waiting_kwh", [](const Result& r) { return known(r.cost->step.waiting.kwh); }},
    Column{"million_hours", [](const Result& r) { return cell(r.cost->million.all.hours); }},
    Column{"million_money", [](const Result& r) { return cell(r.cost->million.all.money); }},
    Column{"million_kwh", [](const Result& r) { return known(r.cost->million.all.kwh); }},
    Column{"epoch_hours", [](const Result& r) { return hours(r.cost->epoch); }},
    Column{"epoch_money", [](const Result& r) { return money(r.cost->epoch); }},
    Column{"epoch_kwh", [](const Result& r) { return kwh(r.cost->epoch); }},
    Column{"run_hours", [](const Result& r) { return hours(r.cost->run); }},
    Column{"run_money", [](const Result& r) { return money(r.cost->run); }},
    Column{"run_kwh", [](const Result& r) { return kwh(r.cost->run); }},
};

std::string rounded(double number) {
  return cell(three_digits(number));
}

/// Only for results that were varied.
constexpr std::array kVariationColumns{
    Column{"step_p10_s", [](const Result& r) { return rounded(r.variation->step.p10); }},
    Column{"step_p50_s", [](const Result& r) { return rounded(r.variation->step.p50); }},
    Column{"step_p90_s", [](const Result& r) { return rounded(r.variation->step.p90); }},
    Column{"spread", [](const Result& r) { return rounded(r.variation->spread); }},
    Column{"fastest", [](const Result& r) { return rounded(r.variation->fastest); }},
};

std::vector<Column> columns_for(std::span<const run::CaseResult> results) {
  std::vector<Column> columns(kColumns.begin(), kColumns.end());
  if (results.empty()) return columns;
  if (results.front().variation) {
    columns.insert(columns.end(), kVariationColumns.begin(), kVariationColumns.end());
  }
  if (results.front().cost) {
    columns.insert(columns.end(), kCostColumns.begin(), kCostColumns.end());
  }
  return columns;
}

}  // namespace

std::string write_result_csv(std::span<const run::CaseResult> results) {
  const std::vector<Column> columns = columns_for(results);
  std::string out;
  for (const Column& column : columns) {
    if (!out.empty()) out += ',';
    out += column.name;
  }
  out += '\n';
  for (const run::CaseResult& result : results) {
    std::string line;
    for (const Column& column : columns) line += column.text(result) + ',';
    line.back() = '\n';
    out += line;
  }
  return out;
}

}  // namespace heddle::io
