#pragma once
// The placements of one strategy, best first, with the cells of `heddle place`, and what a pinned
// one differs by.

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/models/placements.h"
#include "sim/cli/text_table.h"

namespace heddle::gui {

class PlaceRows : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  void set_answer(std::shared_ptr<const PlacementAnswer> answer, const std::string& strategy);
  /// A row to compare all others with: one more column.
  void pin(std::optional<int> row);
  std::optional<int> pinned() const { return pinned_; }

  const cli::RankedPlace* ranked(int row) const;
  const cli::Place* place(int row) const;
  /// Step of a row over the pinned one's, minus 1.
  double against_pinned(int row) const;
  /// "+2.7 %", "3.86x", "A".
  std::string against_text(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::shared_ptr<const PlacementAnswer> answer_;
  std::vector<const cli::RankedPlace*> rows_;  // of answer_
  std::vector<cli::Column> columns_;
  std::optional<int> pinned_;
};

}  // namespace heddle::gui
