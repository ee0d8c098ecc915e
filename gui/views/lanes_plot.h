#pragma once
// Lanes of operations: one image row per lane, then names and edges where boxes are wide enough for
// them. Cost: pixels, not boxes. Lanes are pinned, hidden and dragged into another order; a click
// picks an operation.

#include <functional>
#include <vector>

#include "gui/models/lane_order.h"
#include "gui/models/op_search.h"
#include "gui/views/time_plot.h"

namespace heddle::gui {

class LanesPlot : public TimePlot {
 public:
  LanesPlot(TimeAxis& axis, QWidget* parent);

  void set_view(std::shared_ptr<const CaseView> view) override;
  /// Lanes of something else than a case; there are no steps to mark then.
  void set_lanes(std::shared_ptr<const LaneSet> lanes);
  int wanted_gutter() const override;
  QSize minimumSizeHint() const override;
  QSize sizeHint() const override;

  /// Of those shown; a row is counted from the top.
  int lane_count() const;
  QRect lane_rect(int row) const;
  /// The row at a height; -1 between and beyond lanes.
  int lane_at(int y) const;
  const LaneOrder& order() const { return order_; }

  /// Where keys act: the row that was clicked last.
  int current_row() const { return current_; }
  void pin_current();
  void hide_current();
  void show_all();
  void move_lane(int from, int to);

  /// Frames around boxes, and lines between those of different lanes.
  void set_marks(std::vector<LaneMark> marks);
  /// Shows a box: the selection is its time.
  void show_mark(const LaneMark& mark);
  /// Called with the box that is clicked, or nothing where there is none.
  std::function<void(std::optional<LaneMark>)> picked;
  /// Called when rows come, go or move.
  std::function<void()> rearranged;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  const Lane& lane(int row) const;
  bool begins_group(int row) const;
  int groups_height() const;
  void rearrange();
  void paint_lane(QPainter& painter, int row) const;
  void paint_name(QPainter& painter, int row) const;
  void paint_boxes(QPainter& painter, const Lane& lane, const QRect& rect) const;
  void paint_box(QPainter& painter, const Lane& lane, const LaneBox& box, const QRect& rect) const;
  void paint_marks(QPainter& painter) const;
  void paint_hidden(QPainter& painter) const;
  const LaneBox* box_at(const QPoint& at, int& row) const;
  /// The box `by` places after the one at the cursor becomes the selection.
  void step_box(int by);
  QString tip(const QPoint& at) const;

  std::shared_ptr<const LaneSet> lanes_;
  LaneOrder order_;
  std::vector<LaneMark> marks_;
  int current_ = 0;
  int dragged_ = -1;  // row whose name is dragged
  QPoint pressed_;
};

}  // namespace heddle::gui
