#pragma once
// The table of a study: a group row per fabric, under it a row per case, the cells as `heddle run`
// prints them and two columns for bars.

#include <QAbstractTableModel>
#include <optional>
#include <string>
#include <vector>

#include "gui/models/results.h"
#include "gui/models/step_parts.h"

namespace heddle::gui {

/// Why a case does not fit, or is too close to call: "out of memory in backward, ..."; "" if it
/// fits.
std::string fit_reason(const run::MemoryReport& memory);

class ResultTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Columns with bars; the others are those of cli::result_columns().
  static constexpr int kTimeBar = 1;
  static constexpr int kMemoryBar = 2;

  /// With `pinned`, two more columns say what changed since: see compare().
  void set_results(ResultsPtr results, const ResultsPtr& pinned = nullptr);
  const ResultsPtr& results() const { return results_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

  /// The case of a row; none in a group row.
  std::optional<std::size_t> case_of(int row) const;
  /// The same case among the pinned results; null if there is none.
  const run::CaseResult* pinned_of(std::size_t case_index) const;
  std::optional<int> row_of(std::size_t case_index) const;
  bool is_group(int row) const { return row >= 0 && !case_of(row); }
  /// -1 if there is none.
  int column_of(const std::string& title) const;
  /// Of all cases, for one scale in all rows.
  Duration longest_step() const { return longest_; }
  Bytes most_memory() const { return most_; }
  /// Rows as lines of tab-separated text, under titles with units.
  std::string to_tsv() const;

 private:
  struct Row {
    std::optional<std::size_t> result;
    std::vector<std::string> cells;  // by column; a group's title in the first
    std::string note;                // second line of a group
  };
  void add_titles();
  void add_cases();
  void add_group(const run::CaseId& id);
  std::vector<std::string> cells_of(std::size_t index) const;
  QVariant tool_tip(const QModelIndex& index) const;

  ResultsPtr results_;
  ResultsPtr pinned_;
  std::vector<std::string> titles_;
  std::vector<std::string> units_;
  std::vector<Row> rows_;
  Duration longest_;
  Bytes most_;
};

}  // namespace heddle::gui
