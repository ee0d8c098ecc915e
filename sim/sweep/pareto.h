#pragma once
// --pareto: rows that no other row beats.

#include <cstddef>
#include <string_view>
#include <vector>

#include "sim/base/units_text.h"
#include "sim/sweep/row.h"

namespace heddle::sweep {

/// Columns by which less (a time, bytes) or more (a rate) is better, comma-separated.
Parsed<std::vector<std::size_t>> parse_goals(std::string_view text,
                                             const std::vector<Column>& columns);

/// Those that no other row equals or betters in every goal while being better in one; in their
/// order. Rows without a value in a goal are left out. O(n^2) at worst, one pass over the front.
std::vector<Row> non_dominated(std::vector<Row> rows, const std::vector<std::size_t>& goals,
                               const std::vector<Column>& columns);

}  // namespace heddle::sweep
