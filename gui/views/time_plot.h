#pragma once
// A plot over the shared time axis: where a moment is on screen, and the gestures that move the
// axis, the same in every plot.
//
//   Ctrl+wheel zoom at the pointer (+Alt fine, +Shift fast), Shift+wheel pan, middle or Space drag
//   pan, drag select, W S A D and arrows, Home all, Backspace back, Z zoom to selection, Esc clear

#include <QWidget>
#include <memory>

#include "gui/models/span.h"

namespace heddle::gui {

class CaseView;
class TimeAxis;

class TimePlot : public QWidget {
 public:
  TimePlot(TimeAxis& axis, QWidget* parent);

  virtual void set_view(std::shared_ptr<const CaseView> view);
  /// Pixels left of the plot that labels need; a view gives all its plots the widest.
  virtual int wanted_gutter() const { return 0; }
  void set_gutter(int pixels);

  double x_of(double t) const;
  double t_of(double x) const;
  /// Where data is drawn: without the gutter.
  QRect plot_rect() const;

 protected:
  TimeAxis& axis() const { return axis_; }
  const CaseView* view() const { return view_.get(); }
  int gutter() const { return gutter_; }
  /// Step boundaries below, selection and cursor above the data.
  void paint_steps(QPainter& painter) const;
  void paint_cursor(QPainter& painter) const;
  /// What stands in the gutter beside [top, bottom), right-aligned.
  void paint_label(QPainter& painter, int top, int height, const QString& text) const;

  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  bool handle_key(int key, Qt::KeyboardModifiers modifiers);

  enum class Drag { kNone, kSelect, kPan };
  TimeAxis& axis_;
  std::shared_ptr<const CaseView> view_;
  int gutter_ = 0;
  Drag drag_ = Drag::kNone;
  double pressed_x_ = 0;
  double pressed_t_ = 0;
  Span pressed_range_;
};

}  // namespace heddle::gui
