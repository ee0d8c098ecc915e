#pragma once
// The rows of the open scenario as a tree of sections for views: name, value, origin. Setting a
// value is a change of the document.

#include <QAbstractItemModel>
#include <memory>
#include <string>
#include <vector>

#include "gui/models/scenario_rows.h"

namespace heddle::gui {

class Document;

class ScenarioModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { kName, kValue, kOrigin };
  static constexpr int kProblemRole = Qt::UserRole + 1;  // "" if sound
  static constexpr int kOriginRole = Qt::UserRole + 2;   // int of Origin; -1 for sections

  explicit ScenarioModel(Document& document, QObject* parent = nullptr);
  ~ScenarioModel() override;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

  /// Back to what the file says; false for sections and rows that are not changed.
  bool reset(const QModelIndex& index);
  /// By path; invalid if there is no such row.
  QModelIndex find(const std::string& path, int column = kValue) const;

 private:
  struct Section {
    std::string name;
    std::vector<ScenarioRow> rows;
  };
  void refresh();
  const ScenarioRow* row_of(const QModelIndex& index) const;

  Document& document_;
  std::unique_ptr<ScenarioRows> rows_;
  std::vector<Section> sections_;
};

}  // namespace heddle::gui
