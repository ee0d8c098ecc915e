#pragma once
// A figure over one or two settings: what is varied, the picture, its files and its command.

#include <QWidget>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace heddle::gui {

class CurvesPlot;
class Document;
class HeatMap;
class Sweep;

class SweepView : public QWidget {
  Q_OBJECT
 public:
  explicit SweepView(Document& document, QWidget* parent);

  Sweep& sweep() { return *sweep_; }
  HeatMap& heat_map() { return *heat_map_; }
  CurvesPlot& curves() { return *curves_; }
  /// "training.micro_batch=1,2,4"; `down` may be empty. As if it were typed and started.
  void start(const QString& along, const QString& down);
  /// Of what `figures()` of the answer lists, by its title; false if there is none.
  bool show_figure(const QString& title);
  bool show_case(const QString& case_id);

 Q_SIGNALS:
  /// A point became the scenario.
  void opened();

 private:
  struct AxisChoice {
    QComboBox* field = nullptr;
    QLineEdit* values = nullptr;
  };
  AxisChoice add_axis(const QString& name, bool may_be_none);
  QWidget* make_head();
  QWidget* make_choices();
  void refresh_fields();
  void run();
  void refresh();
  void refresh_choices();
  void open_point(std::size_t point, const std::string& case_id);
  void save();
  std::vector<std::string> varied() const;

  Document& document_;
  Sweep* sweep_;
  AxisChoice along_;
  AxisChoice down_;
  QPushButton* run_ = nullptr;
  QPushButton* cancel_ = nullptr;
  QPushButton* copy_ = nullptr;
  QPushButton* save_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QComboBox* case_ = nullptr;
  QComboBox* figure_ = nullptr;
  QLabel* state_ = nullptr;
  QStackedWidget* pages_;
  QLabel* notice_;
  HeatMap* heat_map_;
  CurvesPlot* curves_;
};

}  // namespace heddle::gui
