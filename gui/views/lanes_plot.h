#pragma once
// The streams of every class of ranks: one image row per lane, then names and edges where boxes are
// wide enough for them. Cost: pixels, not boxes.

#include "gui/models/lane_index.h"
#include "gui/views/time_plot.h"

namespace heddle::gui {

struct Lane;
class LaneSet;

class LanesPlot : public TimePlot {
 public:
  LanesPlot(TimeAxis& axis, QWidget* parent);

  void set_view(std::shared_ptr<const CaseView> view) override;
  /// Lanes of something else than a case; there are no steps to mark then.
  void set_lanes(std::shared_ptr<const LaneSet> lanes);
  int wanted_gutter() const override;
  QSize minimumSizeHint() const override;
  QSize sizeHint() const override;

  int lane_count() const;
  QRect lane_rect(int lane) const;
  /// The lane at a height; -1 between and beyond lanes.
  int lane_at(int y) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void paint_lane(QPainter& painter, int lane) const;
  void paint_boxes(QPainter& painter, const Lane& lane, const QRect& rect) const;
  void paint_box(QPainter& painter, const Lane& lane, const LaneBox& box, const QRect& rect) const;
  const LaneBox* box_at(const QPoint& at, int& lane) const;
  /// The box `by` places after the one at the cursor becomes the selection.
  void step_box(int by);
  QString tip(const QPoint& at) const;

  std::shared_ptr<const LaneSet> lanes_;
};

}  // namespace heddle::gui
