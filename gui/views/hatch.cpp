#include "gui/views/hatch.h"

#include <QPainter>
#include <cmath>

namespace heddle::gui {

void fill_hatch(QPainter& painter, const QRectF& rect, const QColor& color, double period) {
  if (rect.width() <= 0 || rect.height() <= 0) return;
  painter.save();
  painter.setClipRect(rect, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color, period / 3.2));
  const double height = rect.height();
  // x + y is a multiple of the period along each stripe, wherever the rectangle begins.
  const double first = std::floor((rect.left() + rect.top()) / period) * period - rect.top();
  for (double x = first; x < rect.right() + height + period; x += period) {
    painter.drawLine(QPointF(x + 1, rect.top() - 1), QPointF(x - height - 1, rect.bottom() + 1));
  }
  painter.restore();
}

}  // namespace heddle::gui
