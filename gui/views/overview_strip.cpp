#include "gui/views/overview_strip.h"

#include <QImage>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/models/case_view.h"
#include "gui/models/time_axis.h"
#include "gui/views/theme.h"

namespace heddle::gui {

OverviewStrip::OverviewStrip(TimeAxis& axis, QWidget* parent) : QWidget(parent), axis_(axis) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName("Overview of the whole run");
  connect(&axis_, &TimeAxis::range_changed, this, qOverload<>(&QWidget::update));
}

void OverviewStrip::set_view(std::shared_ptr<const CaseView> view) {
  view_ = std::move(view);
  update();
}

void OverviewStrip::set_gutter(int pixels) {
  gutter_ = pixels;
  update();
}

QRect OverviewStrip::strip() const {
  return {gutter_, 8, std::max(1, width() - gutter_ - 10), height() - 14};
}

double OverviewStrip::x_of(double t) const {
  const Span& all = axis_.bounds();
  return strip().x() + (t - all.begin) / all.length() * strip().width();
}

void OverviewStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().window);
  if (view_ == nullptr || view_->compute_lane() == nullptr) return;
  const QRect place = strip();
  const int pixels =
      std::max(1, static_cast<int>(std::lround(place.width() * devicePixelRatioF())));
  PaintColors colors{};
  for (std::size_t p = 0; p < kPaintCount; ++p) colors[p] = theme().paints[p].rgba();
  QImage row(pixels, 1, QImage::Format_RGB32);
  paint_row(view_->compute_lane()->index, axis_.bounds(), colors, theme().panel.rgba(),
            {reinterpret_cast<std::uint32_t*>(row.bits()), static_cast<std::size_t>(pixels)});
  painter.drawImage(place, row);
  QColor veil = theme().window;
  veil.setAlphaF(0.68F);
  const double left = x_of(axis_.range().begin);
  const double right = std::max(left + 3, x_of(axis_.range().end));
  painter.fillRect(QRectF(place.x(), place.y(), left - place.x(), place.height()), veil);
  painter.fillRect(QRectF(right, place.y(), place.right() + 1 - right, place.height()), veil);
  painter.setPen(theme().accent);
  painter.drawRect(QRectF(left, place.y() - 2.5, right - left, place.height() + 4.0));
  painter.setFont(ui_font(-1));
  painter.setPen(theme().muted);
  painter.drawText(QRect(0, 0, gutter_ - 10, height()), Qt::AlignRight | Qt::AlignVCenter,
                   "whole run");
}

void OverviewStrip::centre_on(double x) {
  const Span& all = axis_.bounds();
  const double t = all.begin + (x - strip().x()) / strip().width() * all.length();
  const double half = axis_.range().length() / 2;
  axis_.show({t - half, t + half});
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
  centre_on(event->position().x());
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() != Qt::NoButton) centre_on(event->position().x());
}

}  // namespace heddle::gui
