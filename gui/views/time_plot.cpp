#include "gui/views/time_plot.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/case_view.h"
#include "gui/models/time_axis.h"
#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

constexpr int kRightMargin = 10;
constexpr double kPanShare = 0.1;
constexpr double kKeyZoom = 1.35;

double zoom_step(Qt::KeyboardModifiers modifiers) {
  if (modifiers.testFlag(Qt::AltModifier)) return 1.05;
  return modifiers.testFlag(Qt::ShiftModifier) ? 1.7 : 1.25;
}

}  // namespace

TimePlot::TimePlot(TimeAxis& axis, QWidget* parent) : QWidget(parent), axis_(axis) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  connect(&axis_, &TimeAxis::range_changed, this, qOverload<>(&QWidget::update));
  connect(&axis_, &TimeAxis::cursor_changed, this, qOverload<>(&QWidget::update));
  connect(&axis_, &TimeAxis::selection_changed, this, qOverload<>(&QWidget::update));
}

void TimePlot::set_view(std::shared_ptr<const CaseView> view) {
  view_ = std::move(view);
  update();
}

void TimePlot::set_gutter(int pixels) {
  gutter_ = pixels;
  update();
}

QRect TimePlot::plot_rect() const {
  return {gutter_, 0, std::max(1, width() - gutter_ - kRightMargin), height()};
}

double TimePlot::x_of(double t) const {
  const QRect plot = plot_rect();
  const Span& range = axis_.range();
  return plot.x() + (t - range.begin) / range.length() * plot.width();
}

double TimePlot::t_of(double x) const {
  const QRect plot = plot_rect();
  return axis_.range().begin + (x - plot.x()) / plot.width() * axis_.range().length();
}

void TimePlot::paint_steps(QPainter& painter) const {
  if (view_ == nullptr) return;
  const QRect plot = plot_rect();
  for (const double t : {view_->last_step().begin, view_->last_step().end}) {
    const double x = x_of(t);
    if (x < plot.left() || x > plot.right() + 1) continue;
    painter.fillRect(QRectF(std::round(x) - 1, plot.top(), 1, plot.height()), theme().line);
  }
}

void TimePlot::paint_cursor(QPainter& painter) const {
  const QRect plot = plot_rect();
  painter.save();
  painter.setClipRect(plot);
  if (axis_.selection()) {
    QColor veil = theme().accent;
    veil.setAlphaF(0.16F);
    const double left = x_of(axis_.selection()->begin);
    const double right = x_of(axis_.selection()->end);
    painter.fillRect(QRectF(left, plot.top(), right - left, plot.height()), veil);
    for (const double x : {left, right}) {
      painter.fillRect(QRectF(x - 0.5, plot.top(), 1, plot.height()), theme().accent);
    }
  }
  if (axis_.cursor()) {
    painter.fillRect(QRectF(x_of(*axis_.cursor()) - 0.5, plot.top(), 1, plot.height()),
                     theme().accent);
  }
  painter.restore();
}

void TimePlot::paint_label(QPainter& painter, int top, int height, const QString& text) const {
  painter.drawText(QRect(0, top, gutter_ - 10, height), Qt::AlignRight | Qt::AlignVCenter, text);
}

void TimePlot::wheelEvent(QWheelEvent* event) {
  const double notches = (event->angleDelta().y() + event->angleDelta().x()) / 120.0;
  const bool zooms = event->modifiers().testFlag(Qt::ControlModifier);
  if (!zooms && event->modifiers().testFlag(Qt::ShiftModifier)) {
    axis_.pan(-notches * kPanShare);
  } else {
    axis_.zoom(std::pow(zoom_step(zooms ? event->modifiers() : Qt::NoModifier), notches),
               t_of(event->position().x()));
  }
  event->accept();
}

void TimePlot::mousePressEvent(QMouseEvent* event) {
  pressed_x_ = event->position().x();
  pressed_t_ = t_of(pressed_x_);
  pressed_range_ = axis_.range();
  if (event->button() == Qt::LeftButton) drag_ = Drag::kSelect;
  if (event->button() == Qt::MiddleButton) drag_ = Drag::kPan;
  if (event->button() == Qt::LeftButton) axis_.set_selection(std::nullopt);
}

void TimePlot::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (drag_ == Drag::kPan) {
    const double by = (pressed_x_ - x) / plot_rect().width() * pressed_range_.length();
    axis_.show({pressed_range_.begin + by, pressed_range_.end + by});
    return;
  }
  const Span& bounds = axis_.bounds();
  const double t = std::clamp(t_of(x), bounds.begin, bounds.end);
  if (drag_ == Drag::kSelect && std::abs(x - pressed_x_) >= 3) {
    axis_.set_selection(Span{std::min(t, pressed_t_), std::max(t, pressed_t_)});
  }
  if (x >= gutter_) axis_.set_cursor(t);
}

void TimePlot::mouseReleaseEvent(QMouseEvent* /*event*/) {
  drag_ = Drag::kNone;
}

bool TimePlot::handle_key(int key, Qt::KeyboardModifiers modifiers) {
  if (modifiers.testFlag(Qt::ControlModifier) || modifiers.testFlag(Qt::AltModifier)) return false;
  const double centre = axis_.cursor().value_or((axis_.range().begin + axis_.range().end) / 2);
  const double anchor =
      axis_.range().holds(centre) ? centre : (axis_.range().begin + axis_.range().end) / 2;
  switch (key) {
    case Qt::Key_W:
    case Qt::Key_Up:
      axis_.zoom(kKeyZoom, anchor);
      return true;
    case Qt::Key_S:
    case Qt::Key_Down:
      axis_.zoom(1 / kKeyZoom, anchor);
      return true;
    case Qt::Key_A:
    case Qt::Key_Left:
      axis_.pan(-kPanShare);
      return true;
    case Qt::Key_D:
    case Qt::Key_Right:
      axis_.pan(kPanShare);
      return true;
    case Qt::Key_Home:
      axis_.show_all();
      return true;
    case Qt::Key_End:
      if (view_ != nullptr) axis_.show(view_->last_step());
      return true;
    case Qt::Key_Backspace:
      axis_.back();
      return true;
    case Qt::Key_Z:
      if (axis_.selection()) axis_.show(*axis_.selection());
      return true;
    case Qt::Key_Escape:
      axis_.set_selection(std::nullopt);
      return true;
    default:
      return false;
  }
}

void TimePlot::keyPressEvent(QKeyEvent* event) {
  if (!handle_key(event->key(), event->modifiers())) QWidget::keyPressEvent(event);
}

}  // namespace heddle::gui
