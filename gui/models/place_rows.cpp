#include "gui/models/place_rows.h"

#include <fmt/format.h>

#include <utility>

#include "sim/cli/place_report.h"

namespace heddle::gui {

void PlaceRows::set_answer(std::shared_ptr<const PlacementAnswer> answer,
                           const std::string& strategy) {
  beginResetModel();
  answer_ = std::move(answer);
  rows_.clear();
  columns_.clear();
  pinned_.reset();
  if (answer_) rows_ = cli::places_of(answer_->places, strategy);
  if (!rows_.empty()) columns_ = cli::place_columns(answer_->places, rows_);
  endResetModel();
}

void PlaceRows::pin(std::optional<int> row) {
  beginResetModel();
  pinned_ = row;
  endResetModel();
}

const cli::RankedPlace* PlaceRows::ranked(int row) const {
  const bool known = row >= 0 && row < rowCount();
  return known ? rows_[static_cast<std::size_t>(row)] : nullptr;
}

const cli::Place* PlaceRows::place(int row) const {
  const cli::RankedPlace* of = ranked(row);
  return of == nullptr ? nullptr : &answer_->places.places[of->place];
}

double PlaceRows::against_pinned(int row) const {
  if (!pinned_ || ranked(row) == nullptr) return 0;
  return ranked(row)->step_time.seconds() / ranked(*pinned_)->step_time.seconds() - 1;
}

std::string PlaceRows::against_text(int row) const {
  if (!pinned_) return "";
  if (row == *pinned_) return "A";
  const double more = against_pinned(row);
  return more < 1 ? fmt::format("{:+.1f} %", 100 * more) : fmt::format("{:.2f}x", 1 + more);
}

int PlaceRows::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int PlaceRows::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size()) + (pinned_ ? 1 : 0);
}

QVariant PlaceRows::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const auto column = static_cast<std::size_t>(index.column());
  const bool own = column < columns_.size();
  if (role == Qt::TextAlignmentRole) {
    const bool left = own && columns_[column].align == cli::Align::kLeft;
    return static_cast<int>((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  if (!own) return QString::fromStdString(against_text(index.row()));
  const auto row = static_cast<std::size_t>(index.row());
  return QString::fromStdString(cli::place_cells(answer_->places, rows_, row)[column]);
}

QVariant PlaceRows::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const auto column = static_cast<std::size_t>(section);
  if (role == Qt::TextAlignmentRole) {
    const bool left = column < columns_.size() && columns_[column].align == cli::Align::kLeft;
    return static_cast<int>((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role != Qt::DisplayRole) return {};
  if (column >= columns_.size()) return "step\nover A";
  const cli::Column& of = columns_[column];
  return QString::fromStdString(of.unit.empty() ? of.title : of.title + "\n" + of.unit);
}

}  // namespace heddle::gui
