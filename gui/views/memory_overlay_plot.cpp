#include "gui/views/memory_overlay_plot.h"
#include "gui/models/byte_text.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/measured_overlay.h"
#include "gui/models/ticks.h"
#include "gui/models/time_axis.h"
#include "gui/views/memory_layers.h"
#include "gui/views/theme.h"
#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

constexpr int kTitle = 20;
constexpr double kRoomAbove = 1.12;

/// The moment at or before `t`; the first before all.
const MemoryMoment& moment_at(const MemorySeries& memory, double t) {
  const MemoryMoment* moment = memory.at(std::llround(t));
  return moment == nullptr ? memory.moments().front() : *moment;
}

QString bytes_text(std::int64_t bytes) {
  return QString::fromStdString(byte_text({bytes}));
}

}  // namespace

MemoryOverlayPlot::MemoryOverlayPlot(TimeAxis& axis, QWidget* parent) : TimePlot(axis, parent) {
  setAccessibleName("Memory predicted and counted");
}

void MemoryOverlayPlot::set_overlay(std::shared_ptr<const MeasuredOverlay> overlay) {
  overlay_ = std::move(overlay);
  std::int64_t most = 1;
  if (overlay_ && overlay_->memory().peak() != nullptr) {
    most = std::max(overlay_->memory().peak()->total, overlay_->counted().peak()->total);
  }
  top_ = kRoomAbove * static_cast<double>(most);
  update();
}

int MemoryOverlayPlot::wanted_gutter() const {
  return QFontMetrics(ui_font(-1)).horizontalAdvance("0000 MiB") + 20;
}

double MemoryOverlayPlot::y_of(double bytes) const {
  return height() - 1 - bytes / top_ * (height() - 1 - kTitle);
}

void MemoryOverlayPlot::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  if (!overlay_) return;
  if (!overlay_->memory().moments().empty()) {
    paint_axis(painter);
    painter.save();
    painter.setClipRect(plot_rect());
    paint_memory_layers(painter, overlay_->memory(),
                        {plot_rect(), axis().range(), devicePixelRatioF()},
                        [this](double bytes) { return y_of(bytes); });
    paint_counted(painter);
    painter.restore();
  }
  paint_words(painter);
  paint_cursor(painter);
}

void MemoryOverlayPlot::paint_axis(QPainter& painter) const {
  const ByteScale scale = byte_scale(top_);
  painter.setFont(ui_font(-1));
  const int high = painter.fontMetrics().height();
  const QRect plot = plot_rect();
  for (const double value :
       value_ticks(top_ / scale.bytes, std::max(2, (height() - kTitle) / 34))) {
    const double y = y_of(value * scale.bytes);
    painter.fillRect(QRectF(plot.x(), std::round(y), plot.width(), 1), theme().line);
    painter.setPen(theme().muted);
    const int top = std::clamp(static_cast<int>(y) - high / 2, 0, height() - high);
    paint_label(painter, top, high, QString("%1 %2").arg(value).arg(scale.name));
  }
}

void MemoryOverlayPlot::paint_counted(QPainter& painter) const {
  const Span& range = axis().range();
  const auto& moments = overlay_->counted().moments();
  const auto level = [&](const MemoryMoment& m) { return y_of(static_cast<double>(m.total)); };
  const MemoryMoment* last = &moment_at(overlay_->counted(), range.begin);
  QPainterPath path(QPointF(x_of(static_cast<double>(last->time)), level(*last)));
  while (++last != moments.data() + moments.size()) {
    const double x = x_of(static_cast<double>(last->time));
    path.lineTo(x, path.currentPosition().y());
    path.lineTo(x, level(*last));
    if (static_cast<double>(last->time) > range.end) break;
  }
  path.lineTo(std::max(path.currentPosition().x(), plot_rect().right() + 1.0),
              path.currentPosition().y());
  QPen line(theme().text, 1.6);
  line.setJoinStyle(Qt::MiterJoin);
  painter.setPen(line);
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
}

void MemoryOverlayPlot::paint_words(QPainter& painter) const {
  const QRect line(plot_rect().x(), 0, plot_rect().width(), kTitle);
  painter.setFont(ui_font(-1));
  painter.setPen(theme().muted);
  if (overlay_->memory().moments().empty()) {
    painter.drawText(rect(), Qt::AlignCenter,
                     "the report holds no memory over time; its peaks are in the table");
    return;
  }
  const ReportMemory& memory = *overlay_->report().memory;
  QString title =
      QString("memory of rank %1: layers predicted, line counted; %2 of %3 Allocs and Frees equal")
          .arg(memory.rank)
          .arg(memory.boundaries - memory.differing)
          .arg(memory.boundaries);
  if (axis().cursor()) title = QString("memory of rank %1").arg(memory.rank);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(title, Qt::ElideRight, line.width()));
  if (!axis().cursor()) return;
  const double t = *axis().cursor();
  painter.setPen(theme().text);
  painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                   QString("predicted %1, counted %2")
                       .arg(bytes_text(moment_at(overlay_->memory(), t).total),
                            bytes_text(moment_at(overlay_->counted(), t).total)));
}

}  // namespace heddle::gui
