#pragma once
// Where a job should land: placements ranked, two side by side, the environment line to copy, and a
// click that lays one on the fabric.

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTableView;

namespace heddle::gui {

class Document;
class PlaceCard;
class PlaceRows;
class Placements;
struct PlaceCardContent;

class PlacementView : public QWidget {
  Q_OBJECT
 public:
  explicit PlacementView(Document& document, QWidget* parent);

  Placements& placements() { return *placements_; }
  const PlaceRows& rows() const { return *rows_; }
  QTableView& list() { return *list_; }
  QString use_line() const;
  /// As if its button were pressed.
  void start();
  void set_busy(const QString& list);
  /// The row that is chosen becomes A, or A is let go.
  void pin_chosen();
  void lay_chosen();

 Q_SIGNALS:
  /// A placement became the scenario's.
  void laid();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* make_head();
  QWidget* make_body();
  QWidget* make_use();
  void refresh();
  void show_answer();
  void show_strategy();
  QString worst_text() const;
  void show_chosen();
  void fit_columns();
  PlaceCardContent card(int row, const QString& title) const;

  Document& document_;
  Placements* placements_;
  PlaceRows* rows_;
  QSpinBox* count_ = nullptr;
  QLineEdit* busy_ = nullptr;
  QComboBox* fabric_ = nullptr;
  QPushButton* start_ = nullptr;
  QPushButton* stop_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QComboBox* strategy_ = nullptr;
  QLabel* state_ = nullptr;
  QTableView* list_ = nullptr;
  PlaceCard* a_ = nullptr;
  PlaceCard* chosen_ = nullptr;
  QLineEdit* use_ = nullptr;
  QPushButton* pin_ = nullptr;
  QPushButton* lay_ = nullptr;
  const void* shown_ = nullptr;  // the answer whose rows these are
};

}  // namespace heddle::gui
