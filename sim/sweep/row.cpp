#include "sim/sweep/row.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "sim/base/number_text.h"

namespace heddle::sweep {
namespace {

using Result = run::CaseResult;

struct Field {
  std::string_view name;
  Unit unit;
  Better better;
  Cell (*cell)(const Result& result);
};

Cell seconds(Duration time) {
  return time.seconds();
}

constexpr std::array kFields{
    Field{"strategy", Unit::kNone, Better::kNeither,
          [](const Result& r) { return Cell(r.strategy); }},
    Field{"gpus", Unit::kNone, Better::kLess,
          [](const Result& r) { return Cell(std::int64_t{r.ranks}); }},
    Field{"verdict", Unit::kNone, Better::kNeither,
          [](const Result& r) { return Cell(std::string(to_string(r.memory.verdict))); }},
    Field{"step_time_s", Unit::kTime, Better::kLess,
          [](const Result& r) { return seconds(r.step_time); }},
    Field{"tokens_per_s", Unit::kNone, Better::kMore,
          [](const Result& r) { return Cell(r.tokens_per_second); }},
    Field{"samples_per_s", Unit::kNone, Better::kMore,
          [](const Result& r) { return Cell(r.samples_per_second); }},
    Field{"mfu", Unit::kNone, Better::kMore, [](const Result& r) { return Cell(r.mfu); }},
    Field{"exposed_comm_s", Unit::kTime, Better::kLess,
          [](const Result& r) { return seconds(r.accounting.exposed_comm); }},
    Field{"peak_allocated_bytes", Unit::kBytes, Better::kLess,
          [](const Result& r) { return Cell(r.memory.peak_allocated.value); }},
    Field{"peak_reserved_bytes", Unit::kBytes, Better::kLess,
          [](const Result& r) { return Cell(r.memory.peak_reserved.value); }},
    Field{"needed_bytes", Unit::kBytes, Better::kLess,
          [](const Result& r) { return Cell(r.memory.needed().value); }},
    Field{"capacity_bytes", Unit::kBytes, Better::kNeither,
          [](const Result& r) { return Cell(r.memory.capacity.value); }},
    Field{"wire_bytes", Unit::kBytes, Better::kLess,
          [](const Result& r) { return Cell(r.wire_bytes.value); }},
    Field{"bound_by", Unit::kNone, Better::kNeither,
          [](const Result& r) { return Cell(r.bound_by); }},
};

constexpr std::array kCostFields{
    Field{"currency", Unit::kNone, Better::kNeither,
          [](const Result& r) { return Cell(r.cost->currency); }},
    Field{"step_money", Unit::kNone, Better::kLess,
          [](const Result& r) { return Cell(r.cost->step.all.money); }},
    Field{"million_money", Unit::kNone, Better::kLess,
          [](const Result& r) { return Cell(r.cost->million.all.money); }},
};

/// Before the fields and behind them, in every row.
constexpr std::array<std::string_view, 2> kLead{"fingerprint", "case"};
constexpr std::string_view kReason = "reason";

/// Numbers as numbers, so that they compare and print as such.
Cell value_cell(const std::string& text) {
  if (const auto whole = whole_number(text)) return *whole;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && rest == end && std::isfinite(number)) return number;
  return text;
}

Row begin_row(const RowPlace& place, const std::string& id) {
  Row row{place.point, {}};
  for (const auto& [path, value] : place.values) row.cells.push_back(value_cell(value));
  row.cells.emplace_back(place.fingerprint);
  row.cells.emplace_back(id);
  return row;
}

std::string_view without_unit(std::string_view name) {
  for (const std::string_view unit : {"_bytes", "_s"}) {
    if (name.ends_with(unit) && !name.ends_with("_per_s")) {
      return name.substr(0, name.size() - unit.size());
    }
  }
  return name;
}

std::string_view meant(std::string_view name) {
  if (name == "memory") return "needed_bytes";
  if (name == "cost") return "million_money";
  return name;
}

}  // namespace

std::vector<Column> columns_of(const Grid& grid, bool cost) {
  std::vector<Column> columns;
  for (const Axis& axis : grid.axes()) columns.push_back({axis.path});
  for (const std::string_view name : kLead) columns.push_back({std::string(name)});
  const auto add = [&](const auto& fields) {
    for (const Field& f : fields) columns.push_back({std::string(f.name), f.unit, f.better});
  };
  add(kFields);
  if (cost) add(kCostFields);
  columns.push_back({std::string(kReason)});
  return columns;
}

std::size_t find_column(const std::vector<Column>& columns, std::string_view name) {
  name = meant(name);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == name) return i;
  }
  std::size_t i = 0;
  while (i < columns.size() && without_unit(columns[i].name) != name) ++i;
  return i;
}

std::vector<std::string> short_names(const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& column : columns) names.emplace_back(without_unit(column.name));
  names.emplace_back("memory");
  return names;
}

Row result_row(const RowPlace& place, const run::CaseResult& result, bool cost) {
  Row row = begin_row(place, result.case_id);
  for (const Field& field : kFields) row.cells.push_back(field.cell(result));
  if (cost) {
    for (const Field& field : kCostFields) {
      row.cells.push_back(result.cost ? field.cell(result) : Cell());
    }
  }
  row.cells.emplace_back();
  return row;
}

Row refusal_row(const RowPlace& place, const std::string& id, const std::string& reason,
                bool cost) {
  Row row = begin_row(place, id);
  row.cells.resize(row.cells.size() + kFields.size() + (cost ? kCostFields.size() : 0));
  row.cells.emplace_back(reason);
  return row;
}

}  // namespace heddle::sweep
