#include "gui/views/time_ruler.h"

#include <QPainter>
#include <algorithm>
#include <utility>

#include "gui/models/case_view.h"
#include "gui/models/ticks.h"
#include "gui/models/time_axis.h"
#include "gui/views/theme.h"

namespace heddle::gui {

TimeRuler::TimeRuler(TimeAxis& axis, QWidget* parent) : TimePlot(axis, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFocusPolicy(Qt::NoFocus);
  setAccessibleName("Time");
}

void TimeRuler::set_view(std::shared_ptr<const CaseView> view) {
  if (view) set_origin(view->last_step().begin);
  TimePlot::set_view(std::move(view));
}

void TimeRuler::set_origin(double t) {
  origin_ = t;
  update();
}

QSize TimeRuler::sizeHint() const {
  return {200, QFontMetrics(ui_font(-1)).height() + 10};
}

int TimeRuler::wanted_gutter() const {
  return QFontMetrics(ui_font(-1)).horizontalAdvance("time, ms") + 20;
}

std::vector<TimeRuler::Label> TimeRuler::labels() const {
  std::vector<Label> out;
  if (!origin_) return out;
  const QFontMetrics metrics(ui_font(-1));
  const int widest = metrics.horizontalAdvance("-0000.00");
  const int most = std::max(2, plot_rect().width() / (widest + 24));
  for (const Tick& tick : time_ticks(axis().range(), *origin_, most).at) {
    const QString text = QString::fromStdString(tick.text);
    const double wide = metrics.horizontalAdvance(text);
    const double x = x_of(tick.value);
    const QRectF box(x + 4, 4, wide, metrics.height());
    if (box.right() > width()) continue;
    if (!out.empty() && box.left() < out.back().box.right() + 6) continue;
    out.push_back({x, text, box});
  }
  return out;
}

std::vector<QRectF> TimeRuler::label_boxes() const {
  std::vector<QRectF> out;
  for (const Label& label : labels()) out.push_back(label.box);
  return out;
}

void TimeRuler::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().window);
  painter.fillRect(0, height() - 1, width(), 1, theme().line);
  if (!origin_) return;
  painter.setFont(ui_font(-1));
  painter.setPen(theme().muted);
  const std::string unit = time_ticks(axis().range(), 0, 4).unit;
  paint_label(painter, 0, height(), "time, " + QString::fromStdString(unit));
  for (const Label& label : labels()) {
    painter.fillRect(QRectF(label.x - 0.5, 4, 1, height() - 5.0), theme().line);
    painter.drawText(label.box.adjusted(0, 0, 2, 0), Qt::AlignLeft | Qt::AlignVCenter, label.text);
  }
  paint_cursor(painter);
}

}  // namespace heddle::gui
