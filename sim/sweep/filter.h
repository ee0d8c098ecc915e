#pragma once
// --where: which rows of a sweep are kept.
//
//   filter     = conjunction { "or" conjunction }        conjunction = term { "and" term }
//   term       = "(" filter ")" | column operator value  operator    = < <= > >= == !=
//   value      = number, with a unit if the column has one | word | "text"
//
// A row without a value in a column (a refused case) satisfies no comparison of it.

#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/base/units_text.h"
#include "sim/sweep/row.h"

namespace heddle::sweep {

enum class Comparison { kLess, kLessOrEqual, kMore, kMoreOrEqual, kEqual, kUnequal };

/// In postfix order: comparisons push, "and" and "or" join the last two.
struct Compare {
  std::size_t column = 0;
  Comparison how = Comparison::kEqual;
  std::variant<double, std::string> with;
};
enum class Join { kAnd, kOr };

class Filter {
 public:
  /// Keeps everything.
  Filter() = default;
  explicit Filter(std::vector<std::variant<Compare, Join>> program)
      : program_(std::move(program)) {}
  bool keeps(const Row& row) const;

 private:
  std::vector<std::variant<Compare, Join>> program_;
};

Parsed<Filter> parse_filter(std::string_view text, const std::vector<Column>& columns);

}  // namespace heddle::sweep
