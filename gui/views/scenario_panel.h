#pragma once
// The scenario's settings, to search and edit in place; what was changed stands out and can be
// reset.

#include <QWidget>

class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace heddle::gui {

class Document;
class ScenarioModel;

class ScenarioPanel : public QWidget {
 public:
  ScenarioPanel(Document& document, QWidget* parent);
  ScenarioModel& model() { return *model_; }

 private:
  void reset_current();
  void open_sections();
  void search(const QString& text);

  ScenarioModel* model_;
  QSortFilterProxyModel* filter_;
  QLineEdit* search_;
  QTreeView* tree_;
};

}  // namespace heddle::gui
