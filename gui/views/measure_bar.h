#pragma once
// Starts a measurement of the case that is shown and follows it: backend, ranks, scale, progress.

#include <QWidget>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace heddle::gui {

class Document;
class Measurement;

class MeasureBar : public QWidget {
 public:
  MeasureBar(Document& document, Measurement& measurement, QWidget* parent);

 private:
  void add_choices();
  void start();
  void refresh();
  QString state_text() const;

  Document& document_;
  Measurement& measurement_;
  QLabel* what_;
  QComboBox* backend_;
  QSpinBox* ranks_;
  QDoubleSpinBox* scale_;
  QPushButton* start_;
  QPushButton* cancel_;
  QProgressBar* progress_;
  QLabel* state_;
};

}  // namespace heddle::gui
