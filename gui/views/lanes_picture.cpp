// How LanesPlot paints.

#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/models/time_axis.h"
#include "gui/views/hatch.h"
#include "gui/views/lanes_plot.h"
#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

constexpr int kGroupTitle = 20;
constexpr std::size_t kMostBoxes = 4000;  // more in sight are too narrow for edges and names

PaintColors paint_colors() {
  PaintColors out{};
  for (std::size_t p = 0; p < kPaintCount; ++p) out[p] = theme().paints[p].rgba();
  return out;
}

}  // namespace

void LanesPlot::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  paint_steps(painter);
  for (int row = 0; row < lane_count(); ++row) {
    paint_lane(painter, row);
    paint_name(painter, row);
  }
  paint_hidden(painter);
  paint_marks(painter);
  paint_cursor(painter);
}

void LanesPlot::paint_lane(QPainter& painter, int row) const {
  const Lane& of = lane(row);
  const QRect rect = lane_rect(row);
  if (begins_group(row)) {
    painter.setFont(ui_font(-1));
    painter.setPen(theme().muted);
    painter.drawText(QRect(rect.x(), rect.y() - kGroupTitle, rect.width(), kGroupTitle),
                     Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(of.group));
  }
  const double ratio = devicePixelRatioF();
  const int pixels = std::max(1, static_cast<int>(std::lround(rect.width() * ratio)));
  QImage image(pixels, 1, QImage::Format_RGB32);
  paint_row(of.index, axis().range(), paint_colors(), theme().window.rgba(),
            {reinterpret_cast<std::uint32_t*>(image.bits()), static_cast<std::size_t>(pixels)});
  painter.drawImage(rect, image);
  paint_boxes(painter, of, rect);
}

/// A pinned lane has a bar at its left, the current one its name in the accent colour.
void LanesPlot::paint_name(QPainter& painter, int row) const {
  const QRect rect = lane_rect(row);
  if (order_.is_pinned(static_cast<std::size_t>(row))) {
    painter.fillRect(QRect(0, rect.y(), 3, rect.height()), theme().accent);
  }
  const bool chosen = hasFocus() && row == current_;
  painter.setFont(ui_font(0, chosen || row == dragged_));
  painter.setPen(chosen || row == dragged_ ? theme().accent : theme().text);
  paint_label(painter, rect.y(), rect.height(), QString::fromStdString(lane(row).name));
}

void LanesPlot::paint_hidden(QPainter& painter) const {
  if (order_.hidden() == 0) return;
  painter.setFont(ui_font(-1));
  painter.setPen(theme().muted);
  painter.drawText(QRect(plot_rect().x(), 0, plot_rect().width(), kGroupTitle),
                   Qt::AlignRight | Qt::AlignVCenter,
                   QString("%1 hidden, Shift+H shows them").arg(order_.hidden()));
}

void LanesPlot::paint_boxes(QPainter& painter, const Lane& lane, const QRect& rect) const {
  const Span& range = axis().range();
  const std::size_t first = lane.index.first_after(std::llround(range.begin));
  const std::size_t last = lane.index.first_after(std::llround(range.end));
  if (last - first > kMostBoxes) return;
  painter.save();
  painter.setClipRect(rect);
  const auto boxes = lane.index.boxes();
  for (std::size_t i = first; i < boxes.size() && i <= last; ++i) {
    paint_box(painter, lane, boxes[i], rect);
  }
  painter.restore();
}

void LanesPlot::paint_box(QPainter& painter, const Lane& lane, const LaneBox& box,
                          const QRect& rect) const {
  const double left = std::max(x_of(static_cast<double>(box.start)), double(rect.left()));
  const double right = std::min(x_of(static_cast<double>(box.end)), rect.right() + 1.0);
  if (right - left < 4) return;
  const QRectF place(left, rect.top(), right - left, rect.height());
  if (box.paint == Paint::kWait) {
    painter.fillRect(place, theme().window);
    fill_hatch(painter, place, theme().paints[static_cast<std::size_t>(box.paint)], 7);
  }
  painter.fillRect(QRectF(right - 1, rect.top(), 1, rect.height()), theme().window);
  constexpr double kLeastText = 34;
  if (right - left < kLeastText || box.paint == Paint::kWait) return;
  const QColor& ground = theme().paints[static_cast<std::size_t>(box.paint)];
  painter.setFont(ui_font(-1));
  painter.setPen(text_on(ground));
  const QString name = QString::fromStdString(lanes_->name(lane, box));
  const QRectF inner = place.adjusted(5, 0, -4, 0);
  painter.drawText(
      inner, Qt::AlignLeft | Qt::AlignVCenter,
      painter.fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(inner.width())));
}

void LanesPlot::paint_marks(QPainter& painter) const {
  if (marks_.empty()) return;
  painter.save();
  painter.setClipRect(plot_rect());
  painter.setPen(QPen(theme().text, 2));
  painter.setBrush(Qt::NoBrush);
  std::optional<QPointF> last;
  for (int row = 0; row < lane_count(); ++row) {
    const std::size_t index = order_.shown()[static_cast<std::size_t>(row)];
    for (const LaneMark& mark : marks_) {
      if (mark.lane != index) continue;
      const QRect rect = lane_rect(row);
      const double left = x_of(static_cast<double>(mark.box.start));
      const double right = x_of(static_cast<double>(mark.box.end));
      painter.drawRect(
          QRectF(left, rect.top() - 1.0, std::max(2.0, right - left), rect.height() + 2.0));
      const QPointF middle((left + right) / 2, rect.top() - 1.0);
      if (last) painter.drawLine(*last, middle);
      last = middle + QPointF(0, rect.height() + 2.0);
    }
  }
  painter.restore();
}

}  // namespace heddle::gui
