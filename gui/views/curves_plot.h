#pragma once
// One figure over one setting: a line per case, its colour the strategy's, its dashes the fabric's;
// open marks do not fit. A click opens the point.

#include <QWidget>
#include <string>

#include "gui/views/heat_map.h"

namespace heddle::gui {

class CurvesPlot : public QWidget {
  Q_OBJECT
 public:
  explicit CurvesPlot(QWidget* parent);

  /// The chosen case's line is strong, or all of them.
  void set_answer(const SweepAnswer* answer, SweepChoice choice);
  /// Values stand at equal distances, as they were given.
  double x_of(std::size_t point) const;
  double y_of(double value) const;

 Q_SIGNALS:
  void opened(std::size_t point, const std::string& case_id);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Mark {
    std::size_t point = 0;
    std::string case_id;
    QPointF at;
    QString words;
  };
  QRectF plot_rect() const;
  QPen pen_of(const std::string& case_id) const;
  void paint_axes(QPainter& painter) const;
  void paint_curve(QPainter& painter, const std::string& case_id) const;
  void paint_legend(QPainter& painter) const;
  /// The nearest within a few pixels; none: words are empty.
  Mark mark_at(const QPointF& at) const;

  const SweepAnswer* answer_ = nullptr;
  SweepChoice choice_;
  double top_ = 1;
};

}  // namespace heddle::gui
