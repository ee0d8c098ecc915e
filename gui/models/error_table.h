#pragma once
// The errors of a report as a table: the whole step, classes of ops, phases, ranks and memory, each
// with its sign and a word.

#include <QAbstractTableModel>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/models/validation_report.h"

namespace heddle::gui {

/// Beyond the tolerance in either direction; only the step and memory decide the verdict.
enum class Judgement : std::uint8_t { kWithin, kTooMuch, kTooLittle, kNotMeasured };
Judgement judge(std::optional<double> error, double tolerance);

class ErrorTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  using QAbstractTableModel::QAbstractTableModel;
  enum Column { kName, kPredicted, kMeasured, kError, kWord, kColumns };
  static constexpr int kErrorRole = Qt::UserRole + 1;      // double; invalid: not measured
  static constexpr int kJudgementRole = Qt::UserRole + 2;  // int of Judgement; -1: a heading

  void set_report(std::shared_ptr<const ValidationReport> report);
  /// Of the step's error; the mark in every row.
  double tolerance() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool is_heading(int row) const { return rows_[static_cast<std::size_t>(row)].heading; }
  std::string to_tsv() const;

 private:
  struct Row {
    ReportRow of;
    bool heading = false;
    bool bytes = false;  // exact or wrong
  };
  void add_heading(const std::string& text);
  void add_times(const std::string& heading, const std::vector<ReportRow>& rows);
  void add_memory();
  Judgement judgement(const Row& row) const;
  std::string text(const Row& row, int column) const;
  std::string tip(const Row& row) const;

  std::shared_ptr<const ValidationReport> report_;
  std::vector<Row> rows_;
};

}  // namespace heddle::gui
