#pragma once
// Every case of the study: where its step goes, what it needs, whether that fits, and the figures
// of `heddle run`.

#include <QWidget>

class QTableView;

namespace heddle::gui {

class Document;
class Legend;
class ResultTable;

class StrategiesView : public QWidget {
  Q_OBJECT
 public:
  explicit StrategiesView(Document& document, QWidget* parent = nullptr);
  const ResultTable& table() const { return *table_; }

 Q_SIGNALS:
  /// A case was double-clicked, or Enter was pressed on it.
  void activated();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_results();
  void fit_columns();
  void copy();
  void refresh_legend();

  Document& document_;
  ResultTable* table_;
  QTableView* list_;
  Legend* legend_;
};

}  // namespace heddle::gui
