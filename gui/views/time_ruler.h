#pragma once
// The time axis written out above the plots, counted from the begin of the step the table is of.

#include <optional>

#include "gui/views/time_plot.h"

namespace heddle::gui {

class TimeRuler : public TimePlot {
 public:
  TimeRuler(TimeAxis& axis, QWidget* parent);
  /// From the begin of the case's last step.
  void set_view(std::shared_ptr<const CaseView> view) override;
  /// From `t` on, ps.
  void set_origin(double t);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }
  int wanted_gutter() const override;
  /// The boxes of the labels as painted; none overlap.
  std::vector<QRectF> label_boxes() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Label {
    double x;
    QString text;
    QRectF box;
  };
  std::vector<Label> labels() const;

  std::optional<double> origin_;  // none: nothing to show yet
};

}  // namespace heddle::gui
