#pragma once
// Diagonal stripes: what does not fit, what only waits, what is cached.

#include <QColor>
#include <QRectF>

class QPainter;

namespace heddle::gui {

/// Stripes of `color` over what is there, `period` pixels apart, in step with the whole window.
void fill_hatch(QPainter& painter, const QRectF& rect, const QColor& color, double period = 6);

}  // namespace heddle::gui
