#pragma once
// Memory as predicted, in layers, with what the allocator counted as a line over it.

#include "gui/views/time_plot.h"

namespace heddle::gui {

class MeasuredOverlay;

class MemoryOverlayPlot : public TimePlot {
 public:
  MemoryOverlayPlot(TimeAxis& axis, QWidget* parent);
  void set_overlay(std::shared_ptr<const MeasuredOverlay> overlay);

  int wanted_gutter() const override;
  QSize minimumSizeHint() const override { return {100, 84}; }
  QSize sizeHint() const override { return {400, 150}; }
  double y_of(double bytes) const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paint_axis(QPainter& painter) const;
  void paint_counted(QPainter& painter) const;
  void paint_words(QPainter& painter) const;

  std::shared_ptr<const MeasuredOverlay> overlay_;
  double top_ = 1;  // bytes
};

}  // namespace heddle::gui
