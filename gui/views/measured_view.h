#pragma once
// A measurement over its prediction: lanes, how far they are apart, memory, signed errors, and
// where it was measured. Says so plainly when nothing was.

#include <QWidget>
#include <memory>

class QComboBox;
class QLabel;
class QSplitter;
class QStackedWidget;

namespace heddle::gui {

class Document;
class ErrorList;
class FactList;
class MeasuredPlots;
class Measurement;
struct ValidationReport;

class MeasuredView : public QWidget {
  Q_OBJECT
 public:
  MeasuredView(Document& document, Measurement& measurement, QWidget* parent);

  MeasuredPlots& plots() { return *plots_; }
  const ErrorList& errors() const { return *errors_; }
  /// What stands in the place of plots when there are none; "" while there are.
  QString notice() const;
  void show_rank(int rank);

 Q_SIGNALS:
  void open_asked();
  void save_asked();

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* make_head();
  QWidget* make_body();
  void show_report();
  void show_state();
  void share_width();
  void show_notice(const QString& title, const QString& text);

  Measurement& measurement_;
  QLabel* verdict_ = nullptr;
  QLabel* origin_ = nullptr;
  QComboBox* rank_ = nullptr;
  QWidget* save_ = nullptr;
  QStackedWidget* pages_;
  QSplitter* body_ = nullptr;
  QSplitter* side_ = nullptr;
  QLabel* notice_;
  MeasuredPlots* plots_ = nullptr;
  ErrorList* errors_ = nullptr;
  FactList* facts_ = nullptr;
};

}  // namespace heddle::gui
