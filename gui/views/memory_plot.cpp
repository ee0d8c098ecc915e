#include "gui/views/memory_plot.h"
#include "gui/models/byte_text.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "gui/models/case_view.h"
#include "gui/models/ticks.h"
#include "gui/models/time_axis.h"
#include "gui/views/hatch.h"
#include "gui/views/memory_layers.h"
#include "gui/views/theme.h"
#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

constexpr int kTopMargin = 10;
constexpr double kRoomAbove = 1.06;

/// A small label on a ground of its own, kept inside `within`.
void paint_tag(QPainter& painter, QPointF at, const QString& text, const QColor& color,
               const QRect& within) {
  painter.setFont(ui_font(-1));
  const QFontMetrics metrics = painter.fontMetrics();
  QRectF box(at.x() + 5, at.y() - metrics.height() - 2.0, metrics.horizontalAdvance(text) + 10.0,
             metrics.height() + 2.0);
  if (box.right() > within.right()) box.moveRight(at.x() - 5);
  if (box.top() < within.top()) box.moveTop(within.top() + 1.0);
  QColor ground = theme().panel;
  ground.setAlphaF(0.86F);
  painter.fillRect(box, ground);
  painter.setPen(color);
  painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace

MemoryPlot::MemoryPlot(TimeAxis& axis, QWidget* parent) : TimePlot(axis, parent) {
  setAccessibleName("Memory");
}

double MemoryPlot::wanted_top(const CaseView& view) {
  const MemoryMoment* peak = view.memory().peak();
  const auto highest = static_cast<double>(peak == nullptr ? 0 : peak->total);
  return kRoomAbove * std::max(highest, static_cast<double>(view.result().memory.capacity.value));
}

void MemoryPlot::set_view(std::shared_ptr<const CaseView> view) {
  if (view) top_ = wanted_top(*view);
  TimePlot::set_view(std::move(view));
}

void MemoryPlot::set_top(double bytes) {
  top_ = bytes;
  update();
}

int MemoryPlot::wanted_gutter() const {
  return QFontMetrics(ui_font(-1)).horizontalAdvance("0000 GiB") + 20;
}

double MemoryPlot::y_of(double bytes) const {
  return height() - 1 - bytes / top_ * (height() - 1 - kTopMargin);
}

void MemoryPlot::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  if (view() == nullptr) return;
  paint_axis(painter);
  painter.save();
  painter.setClipRect(plot_rect());
  paint_steps(painter);
  paint_layers(painter);
  painter.restore();
  painter.setRenderHint(QPainter::Antialiasing);
  paint_out_of_memory(painter);
  paint_peak(painter);
  painter.setRenderHint(QPainter::Antialiasing, false);
  paint_limits(painter);
  paint_cursor(painter);
}

void MemoryPlot::paint_axis(QPainter& painter) const {
  const QFontMetrics metrics(ui_font(-1));
  painter.setFont(ui_font(-1));
  const int most = std::max(2, (height() - kTopMargin) / (2 * metrics.height()));
  const QRect plot = plot_rect();
  const ByteScale scale = byte_scale(top_);
  for (const double value : value_ticks(top_ / scale.bytes, most)) {
    const double y = y_of(value * scale.bytes);
    painter.fillRect(QRectF(plot.x(), std::round(y), plot.width(), 1), theme().line);
    if (gutter() < wanted_gutter()) continue;
    painter.setPen(theme().muted);
    const int top =
        std::clamp(static_cast<int>(y) - metrics.height() / 2, 0, height() - metrics.height());
    paint_label(painter, top, metrics.height(), QString("%1 %2").arg(value).arg(scale.name));
  }
}

void MemoryPlot::paint_layers(QPainter& painter) const {
  paint_memory_layers(painter, view()->memory(), {plot_rect(), axis().range(), devicePixelRatioF()},
                      [this](double bytes) { return y_of(bytes); });
}

void MemoryPlot::paint_limits(QPainter& painter) const {
  const run::MemoryReport& memory = view()->result().memory;
  const QRect plot = plot_rect();
  const QColor color = memory.fits() ? theme().muted : theme().bad;
  const double full = std::round(y_of(static_cast<double>(memory.capacity.value)));
  painter.fillRect(QRectF(plot.x(), full, plot.width(), 2), color);
  const double usable = std::round(y_of(static_cast<double>(memory.usable.value)));
  for (int x = plot.x(); x < plot.right(); x += 10) {
    painter.fillRect(QRectF(x, usable, 5, 1), color);
  }
  if (quiet_ && gutter() < wanted_gutter()) return;
  const QString text = QString::fromStdString("capacity " + byte_text(memory.capacity));
  paint_tag(painter, QPointF(plot.right() + 5, full - 1), text, theme().text, plot);
}

/// At the peak of what tensors hold, the table's "peak"; what is cached lies above it.
void MemoryPlot::paint_peak(QPainter& painter) const {
  const MemoryMoment* peak = view()->memory().peak_held();
  if (peak == nullptr || !axis().range().holds(static_cast<double>(peak->time))) return;
  const auto held = static_cast<double>(peak->total - peak->layers[kCachedLayer]);
  const QPointF tip(x_of(static_cast<double>(peak->time)), y_of(held));
  QPainterPath mark(tip - QPointF(0, 1));
  mark.lineTo(tip + QPointF(-5, -9));
  mark.lineTo(tip + QPointF(5, -9));
  mark.closeSubpath();
  painter.fillPath(mark, theme().text);
  const run::MemoryReport& memory = view()->result().memory;
  std::string text = "peak " + byte_text(memory.peak_allocated);
  if (!quiet_) text += " allocated in " + run::moment_text(memory.peak_at);
  paint_tag(painter, tip + QPointF(4, 2), QString::fromStdString(text), theme().text, plot_rect());
}

/// A cross where the limit is passed; what follows is what it would have taken.
void MemoryPlot::paint_out_of_memory(QPainter& painter) const {
  const MemoryMoment* over = view()->out_of_memory();
  if (over == nullptr) return;
  const QRect plot = plot_rect();
  const double x = std::max(x_of(static_cast<double>(over->time)), double(plot.left()));
  QColor stripes = theme().panel;
  stripes.setAlphaF(0.7F);
  fill_hatch(painter, QRectF(x, kTopMargin, plot.right() - x, plot.height() - kTopMargin), stripes,
             9);
  const auto usable = static_cast<double>(view()->result().memory.usable.value);
  const QPointF at(x, y_of(usable));
  if (axis().range().holds(static_cast<double>(over->time))) {
    painter.setPen(QPen(theme().bad, 3, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(at + QPointF(-6, -6), at + QPointF(6, 6));
    painter.drawLine(at + QPointF(-6, 6), at + QPointF(6, -6));
  }
  const std::string& where = view()->result().memory.out_of_memory;
  const QString text =
      quiet_ ? QString("out of memory") : QString::fromStdString("out of memory in " + where);
  paint_tag(painter, at + QPointF(6, 30), text, theme().bad, plot);
}

void MemoryPlot::show_moment(double t) {
  axis().set_cursor(t);
  const double length = axis().range().length();
  if (!axis().range().holds(t)) axis().show({t - length / 2, t + length / 2});
}

void MemoryPlot::show_peak() {
  const MemoryMoment* peak = view() == nullptr ? nullptr : view()->memory().peak_held();
  if (peak != nullptr) show_moment(static_cast<double>(peak->time));
}

void MemoryPlot::show_out_of_memory() {
  const MemoryMoment* over = view() == nullptr ? nullptr : view()->out_of_memory();
  if (over != nullptr) show_moment(static_cast<double>(over->time));
}

void MemoryPlot::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_K) {
    show_peak();
  } else if (event->key() == Qt::Key_O) {
    show_out_of_memory();
  } else {
    TimePlot::keyPressEvent(event);
  }
}

}  // namespace heddle::gui
