#include "gui/views/links_plot.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/models/case_view.h"
#include "gui/models/time_axis.h"
#include "gui/views/theme.h"
#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {
constexpr int kTitle = 20;
}

LinksPlot::LinksPlot(TimeAxis& axis, QWidget* parent) : TimePlot(axis, parent) {
  setAccessibleName("Link load");
}

void LinksPlot::set_view(std::shared_ptr<const CaseView> view) {
  links_.clear();
  if (view) links_ = busiest_links(*view, 3);
  TimePlot::set_view(std::move(view));
  updateGeometry();
}

int LinksPlot::row_height() const {
  return std::max(26, QFontMetrics(ui_font(-1)).height() + 10);
}

int LinksPlot::wanted_gutter() const {
  const QFontMetrics metrics(ui_font(-1));
  int widest = 0;
  for (const fabric::LinkId link : links_) {
    const QString name = QString::fromStdString(view()->fabric().link_name(link));
    widest = std::max(widest, metrics.horizontalAdvance(name));
  }
  return widest + 20;
}

QSize LinksPlot::minimumSizeHint() const {
  return {100, links_.empty() ? 0 : kTitle + static_cast<int>(links_.size()) * row_height() + 4};
}

void LinksPlot::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  if (view() == nullptr) return;
  paint_steps(painter);
  painter.setFont(ui_font(-1));
  painter.setPen(theme().muted);
  painter.drawText(QRect(plot_rect().x(), 0, plot_rect().width(), kTitle),
                   Qt::AlignLeft | Qt::AlignVCenter,
                   "load of the busiest links, GB/s per direction");
  for (std::size_t row = 0; row < links_.size(); ++row) paint_row(painter, row);
  paint_cursor(painter);
}

void LinksPlot::paint_row(QPainter& painter, std::size_t row) const {
  const fabric::Link& link = view()->fabric().link(links_[row]);
  const QRect plot = plot_rect();
  const int top = kTitle + static_cast<int>(row) * row_height();
  const double high = row_height() - 5;
  const double floor = top + high;
  painter.fillRect(QRectF(plot.x(), top, plot.width(), high), theme().window);
  const double ratio = devicePixelRatioF();
  const auto count = static_cast<std::size_t>(std::max(1L, std::lround(plot.width() * ratio)));
  const auto loads = view()->links().columns(links_[row], axis().range(), count);
  for (std::size_t begin = 0; begin < count;) {
    std::size_t end = begin + 1;
    while (end < count && loads[end] == loads[begin]) ++end;
    const double share =
        static_cast<double>(loads[begin]) / static_cast<double>(link.capacity.bytes_per_second);
    const double up = std::min(1.0, share) * high;
    painter.fillRect(QRectF(plot.x() + static_cast<double>(begin) / ratio, floor - up,
                            static_cast<double>(end - begin) / ratio, up),
                     theme().load(share));
    begin = end;
  }
  painter.setFont(ui_font(-1));
  painter.setPen(theme().text);
  paint_label(painter, top, static_cast<int>(high),
              QString::fromStdString(view()->fabric().link_name(links_[row])));
  std::string text = format_bandwidth(link.capacity);
  if (axis().cursor()) {
    const Bandwidth now{view()->links().load_at(links_[row], std::llround(*axis().cursor()))};
    text = now.bytes_per_second == 0 ? "idle, " + text : format_bandwidth(now) + " of " + text;
  }
  const QString said = QString::fromStdString(text);
  QRectF box(0, top + 2, painter.fontMetrics().horizontalAdvance(said) + 10, high - 4);
  box.moveRight(plot.right() - 2);
  QColor ground = theme().panel;
  ground.setAlphaF(0.8F);
  painter.fillRect(box, ground);
  painter.drawText(box, Qt::AlignCenter, said);
}

}  // namespace heddle::gui
