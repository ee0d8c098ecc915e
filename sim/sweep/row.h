#pragma once
// A line of a sweep's answer and what its columns are: the values varied, then what came out of one
// case, or why nothing did.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/run/case_result.h"
#include "sim/sweep/grid.h"

namespace heddle::sweep {

/// Nothing where a case was refused.
using Cell = std::variant<std::monostate, std::int64_t, double, std::string>;

enum class Unit { kNone, kTime, kBytes };  // seconds and bytes; the name says so too
enum class Better { kNeither, kLess, kMore };

struct Column {
  std::string name;  // "step_time_s"
  Unit unit = Unit::kNone;
  Better better = Better::kNeither;
};

struct Row {
  std::size_t point = 0;
  std::vector<Cell> cells;  // by column
};

/// Those of the axes first. `cost`: with what a scenario with prices adds.
std::vector<Column> columns_of(const Grid& grid, bool cost);

/// By its name, without its unit ("step_time"), or "memory" and "cost" for the two that people
/// mean; none: the number of columns.
std::size_t find_column(const std::vector<Column>& columns, std::string_view name);
/// For a hint: names as a person may write them.
std::vector<std::string> short_names(const std::vector<Column>& columns);

/// Whose values the first cells are.
struct RowPlace {
  std::size_t point = 0;
  const PathValues& values;
  const std::string& fingerprint;  // "" if the scenario was not even read
};

Row result_row(const RowPlace& place, const run::CaseResult& result, bool cost);
/// `id` is "" if the whole point is refused.
Row refusal_row(const RowPlace& place, const std::string& id, const std::string& reason, bool cost);

}  // namespace heddle::sweep
