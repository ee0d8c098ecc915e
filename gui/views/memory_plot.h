#pragma once
// Memory of the fullest class of ranks over time as the driver sees it: layers that add up, what
// the GPU has and what may be used of it, the peak, and the moment it runs out.

#include "gui/views/time_plot.h"

namespace heddle::gui {

class MemoryPlot : public TimePlot {
 public:
  MemoryPlot(TimeAxis& axis, QWidget* parent);

  int wanted_gutter() const override;
  QSize minimumSizeHint() const override { return {100, 90}; }
  QSize sizeHint() const override { return {400, 220}; }

  /// Bytes at the top of the plot.
  double top() const { return top_; }
  /// By default room for the capacity and the peak; several plots may share one.
  void set_top(double bytes);
  double y_of(double bytes) const;
  void set_view(std::shared_ptr<const CaseView> view) override;
  static double wanted_top(const CaseView& view);
  /// Small and one of several: no words but that memory runs out.
  void set_quiet(bool quiet) { quiet_ = quiet; }
  void show_peak();
  void show_out_of_memory();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void paint_axis(QPainter& painter) const;
  void paint_layers(QPainter& painter) const;
  void paint_limits(QPainter& painter) const;
  void paint_peak(QPainter& painter) const;
  void paint_out_of_memory(QPainter& painter) const;
  void show_moment(double t);

  double top_ = 1;
  bool quiet_ = false;
};

}  // namespace heddle::gui
