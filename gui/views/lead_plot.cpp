#include "gui/views/lead_plot.h"

#include <QHelpEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "gui/models/measured_overlay.h"
#include "gui/models/time_axis.h"
#include "gui/views/theme.h"
#include "gui/views/tool_tip.h"
#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

constexpr int kTitle = 20;
constexpr int kBelow = 5;

QString signed_time(std::int64_t ps) {
  const QString text = QString::fromStdString(format_duration({std::abs(ps)}));
  return ps == 0 ? "0" : (ps < 0 ? "-" : "+") + text;
}

}  // namespace

LeadPlot::LeadPlot(TimeAxis& axis, QWidget* parent) : TimePlot(axis, parent) {
  setAccessibleName("Prediction ahead of or behind the measurement");
}

void LeadPlot::set_overlay(std::shared_ptr<const MeasuredOverlay> overlay) {
  overlay_ = std::move(overlay);
  update();
}

int LeadPlot::wanted_gutter() const {
  return QFontMetrics(ui_font(-1)).horizontalAdvance("+000.00 ms") + 20;
}

double LeadPlot::top() const {
  return overlay_ ? std::max(1e3, 1.15 * static_cast<double>(overlay_->most_lead())) : 1;
}

double LeadPlot::y_of(double lead) const {
  const double half = (height() - kTitle - kBelow) / 2.0;
  return kTitle + half - lead / top() * half;
}

void LeadPlot::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  if (!overlay_) return;
  paint_scale(painter);
  painter.save();
  painter.setClipRect(plot_rect());
  paint_ends(painter);
  paint_leads(painter);
  painter.restore();
  paint_words(painter);
  paint_cursor(painter);
}

void LeadPlot::paint_scale(QPainter& painter) const {
  const QRect plot = plot_rect();
  painter.setFont(ui_font(-1));
  const int high = painter.fontMetrics().height();
  const auto most = overlay_->most_lead();
  for (const std::int64_t lead : {most, std::int64_t{0}, -most}) {
    const double y = y_of(static_cast<double>(lead));
    painter.fillRect(QRectF(plot.x(), std::round(y), plot.width(), 1), theme().line);
    painter.setPen(theme().muted);
    paint_label(painter, static_cast<int>(y) - high / 2, high, signed_time(lead));
    if (most == 0) break;
  }
}

/// A pixel at least: nothing tiny disappears.
void LeadPlot::paint_leads(QPainter& painter) const {
  const double zero = std::round(y_of(0));
  for (const LeadPoint& point : overlay_->leads()) {
    const double left = x_of(static_cast<double>(point.begin));
    const double right = x_of(static_cast<double>(point.end));
    if (right < plot_rect().left() || left > plot_rect().right() || point.lead == 0) continue;
    const double y = y_of(static_cast<double>(point.lead));
    painter.fillRect(
        QRectF(left, std::min(y, zero), std::max(1.0, right - left), std::abs(y - zero)),
        point.lead > 0 ? theme().over : theme().under);
  }
}

/// Where the step ends on either side, and how measured ends scatter.
void LeadPlot::paint_ends(QPainter& painter) const {
  const ReportStep& step = *overlay_->report().step;
  const double bottom = height() - kBelow;
  QColor veil = theme().muted;
  veil.setAlphaF(0.28F);
  const double p10 = x_of(step.p10 * 1e12);
  painter.fillRect(QRectF(p10, kTitle, std::max(1.0, x_of(step.p90 * 1e12) - p10), bottom - kTitle),
                   veil);
  painter.fillRect(QRectF(x_of(step.whole.measured * 1e12) - 1, kTitle, 2, bottom - kTitle),
                   theme().text);
  const double predicted = x_of(step.whole.predicted * 1e12);
  for (double y = kTitle; y < bottom; y += 7) {
    painter.fillRect(QRectF(predicted - 1, y, 2, 4), theme().text);
  }
}

QString LeadPlot::words_at(double t) const {
  const LeadPoint* point = overlay_->lead_at(t);
  if (point == nullptr) return {};
  const ReportOp* op = overlay_->find_op(point->op);
  const QString name =
      op == nullptr ? QString("op %1").arg(point->op) : QString::fromStdString(op->name);
  if (point->lead == 0) return name + ": as predicted";
  return QString("%1: predicted %2 %3")
      .arg(name, QString::fromStdString(format_duration({std::abs(point->lead)})),
           point->lead > 0 ? "late" : "early");
}

void LeadPlot::paint_words(QPainter& painter) const {
  const QRect plot = plot_rect();
  painter.fillRect(QRect(plot.x(), 0, width() - plot.x(), kTitle), theme().panel);
  painter.setFont(ui_font(-1));
  painter.setPen(theme().muted);
  const QRect line(plot.x(), 0, plot.width(), kTitle);
  QString title = "operations end predicted late (up) or early (down)";
  const QString more = "; dashes: predicted end, line and band: measured median, P10-P90";
  const bool room = painter.fontMetrics().horizontalAdvance(title + more) < line.width();
  if (room && !axis().cursor()) title += more;
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(title, Qt::ElideRight, line.width()));
  if (!axis().cursor()) return;
  painter.setPen(theme().text);
  painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, words_at(*axis().cursor()));
}

bool LeadPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !overlay_) return TimePlot::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  show_tip(*help, words_at(t_of(help->x())), *this);
  return true;
}

}  // namespace heddle::gui
