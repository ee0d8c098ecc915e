#pragma once
// A sweep's rows (sim/sweep, the lines of `heddle sweep`) as cells of one figure over one or two
// settings.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/row.h"

namespace heddle::gui {

struct SweepCell {
  std::optional<double> value;  // of the figure; none: refused, or not run yet
  std::string text;             // "411 ms"
  std::string case_id;
  bool fits = false;
  std::string trouble;  // "needs 98.5 GB of 85.9 GB", or why it was refused; "" if it fits
  double needed = 0;    // bytes; 0 if it was refused
};

/// A name that is no case: the best of all that fit, or the one that comes nearest to it.
inline constexpr const char* kBestCase = "best that fits";

class SweepAnswer {
 public:
  /// One axis, or two, the second varying fastest.
  SweepAnswer(std::vector<sweep::Axis> axes, std::vector<sweep::Column> columns);

  /// Rows of a point, in the order of points.
  void add(std::vector<sweep::Row> rows);

  const sweep::Grid& grid() const { return grid_; }
  const std::vector<sweep::Column>& columns() const { return columns_; }
  const std::vector<sweep::Row>& rows() const { return rows_; }
  std::size_t points_done() const { return by_point_.size(); }
  /// As they first occur.
  const std::vector<std::string>& cases() const { return cases_; }
  /// Columns with numbers that are better or worse.
  std::vector<std::size_t> figures() const;
  /// "step time"; its unit stands in every cell.
  std::string title(std::size_t column) const;

  /// `case_id` may be kBestCase.
  SweepCell cell(std::size_t point, const std::string& case_id, std::size_t column) const;

 private:
  const sweep::Row* find(std::size_t point, const std::string& case_id) const;
  SweepCell cell_of(const sweep::Row& row, std::size_t column) const;
  std::string word(const sweep::Row& row, std::size_t column) const;

  sweep::Grid grid_;
  std::vector<sweep::Column> columns_;
  std::vector<sweep::Row> rows_;
  std::vector<std::pair<std::size_t, std::size_t>> by_point_;  // rows [first, last)
  std::vector<std::string> cases_;
  std::size_t case_column_;
  std::size_t verdict_column_;
};

/// "411 ms", "12.4 GB", "41.2 %"
std::string figure_text(const sweep::Column& column, double value);

}  // namespace heddle::gui
