#include "gui/models/sweep_answer.h"
#include "gui/models/byte_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/units_text.h"
#include "sim/cli/quantity_text.h"

namespace heddle::gui {
namespace {

std::optional<double> number_of(const sweep::Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  return std::nullopt;
}

std::string bytes_of(const sweep::Cell& cell) {
  return byte_text({std::llround(number_of(cell).value_or(0))});
}

}  // namespace

std::string figure_text(const sweep::Column& column, double value) {
  if (column.unit == sweep::Unit::kTime) return format_duration(duration_from_seconds(value));
  if (column.unit == sweep::Unit::kBytes) return byte_text({std::llround(value)});
  if (column.name == "mfu") return cli::percent_text(value) + " %";
  const std::string text = cli::magnitude_text(value);
  return column.name.ends_with("_per_s") ? text + "/s" : text;
}

SweepAnswer::SweepAnswer(std::vector<sweep::Axis> axes, std::vector<sweep::Column> columns)
    : grid_(std::move(axes)),
      columns_(std::move(columns)),
      case_column_(sweep::find_column(columns_, "case")),
      verdict_column_(sweep::find_column(columns_, "verdict")) {}

void SweepAnswer::add(std::vector<sweep::Row> rows) {
  const std::size_t first = rows_.size();
  for (sweep::Row& row : rows) {
    const std::string id = word(row, case_column_);
    if (!id.empty() && std::find(cases_.begin(), cases_.end(), id) == cases_.end()) {
      cases_.push_back(id);
    }
    rows_.push_back(std::move(row));
  }
  by_point_.emplace_back(first, rows_.size());
}

std::vector<std::size_t> SweepAnswer::figures() const {
  std::vector<std::size_t> out;
  for (std::size_t i = grid_.axes().size(); i < columns_.size(); ++i) {
    if (columns_[i].better != sweep::Better::kNeither && columns_[i].name != "gpus") {
      out.push_back(i);
    }
  }
  return out;
}

std::string SweepAnswer::title(std::size_t column) const {
  std::string name = columns_[column].name;
  if (name == "mfu") return "MFU";
  if (name.ends_with("_per_s")) name.resize(name.size() - 6);
  if (columns_[column].unit == sweep::Unit::kTime) name.resize(name.size() - 2);
  if (columns_[column].unit == sweep::Unit::kBytes) name.resize(name.size() - 6);
  for (char& c : name) {
    if (c == '_') c = ' ';
  }
  return name;
}

std::string SweepAnswer::word(const sweep::Row& row, std::size_t column) const {
  const auto* text = std::get_if<std::string>(&row.cells[column]);
  return text == nullptr ? "" : *text;
}

/// A point that was refused whole has one row, for every case.
const sweep::Row* SweepAnswer::find(std::size_t point, const std::string& case_id) const {
  if (point >= by_point_.size()) return nullptr;
  for (std::size_t i = by_point_[point].first; i < by_point_[point].second; ++i) {
    const std::string id = word(rows_[i], case_column_);
    if (id == case_id || id.empty()) return &rows_[i];
  }
  return nullptr;
}

SweepCell SweepAnswer::cell_of(const sweep::Row& row, std::size_t column) const {
  SweepCell cell;
  cell.case_id = word(row, case_column_);
  cell.value = number_of(row.cells[column]);
  const std::string verdict = word(row, verdict_column_);
  cell.fits = verdict == "fits";
  if (cell.value) cell.text = figure_text(columns_[column], *cell.value);
  if (!cell.value) {
    cell.trouble = word(row, columns_.size() - 1);
  } else if (!cell.fits) {
    const sweep::Cell& needed = row.cells[sweep::find_column(columns_, "needed_bytes")];
    const sweep::Cell& capacity = row.cells[sweep::find_column(columns_, "capacity_bytes")];
    cell.needed = number_of(needed).value_or(0);
    cell.trouble = "needs " + bytes_of(needed) + " of " + bytes_of(capacity) +
                   (verdict == "too_close" ? ": too close to call" : "");
  }
  return cell;
}

SweepCell SweepAnswer::cell(std::size_t point, const std::string& case_id,
                            std::size_t column) const {
  if (case_id != kBestCase) {
    const sweep::Row* row = find(point, case_id);
    return row == nullptr ? SweepCell{} : cell_of(*row, column);
  }
  SweepCell best;
  if (point >= by_point_.size()) return best;
  const double sign = columns_[column].better == sweep::Better::kMore ? -1 : 1;
  for (std::size_t i = by_point_[point].first; i < by_point_[point].second; ++i) {
    SweepCell cell = cell_of(rows_[i], column);
    const bool first = i == by_point_[point].first;
    const bool better = cell.fits && (!best.fits || sign * *cell.value < sign * *best.value);
    const bool nearer =
        !best.fits && !cell.fits && cell.value && (!best.value || cell.needed < best.needed);
    if (first || better || nearer) best = std::move(cell);
  }
  if (!best.fits) best.value.reset();
  return best;
}

}  // namespace heddle::gui
