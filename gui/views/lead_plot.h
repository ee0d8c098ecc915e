#pragma once
// How far the prediction is from the measurement as the step goes on: an op that ends later than it
// was measured to rises, one that ends earlier hangs. The last one is what the step is off by.

#include "gui/views/time_plot.h"

namespace heddle::gui {

class MeasuredOverlay;

class LeadPlot : public TimePlot {
 public:
  LeadPlot(TimeAxis& axis, QWidget* parent);
  void set_overlay(std::shared_ptr<const MeasuredOverlay> overlay);

  int wanted_gutter() const override;
  QSize minimumSizeHint() const override { return {100, 84}; }
  QSize sizeHint() const override { return {400, 112}; }
  /// Height of a lead, ps.
  double y_of(double lead) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  double top() const;  // ps
  void paint_scale(QPainter& painter) const;
  void paint_leads(QPainter& painter) const;
  void paint_ends(QPainter& painter) const;
  void paint_words(QPainter& painter) const;
  QString words_at(double t) const;

  std::shared_ptr<const MeasuredOverlay> overlay_;
};

}  // namespace heddle::gui
