#include "gui/views/curves_plot.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/sweep_answer.h"
#include "gui/models/ticks.h"
#include "gui/views/theme.h"
#include "gui/views/tool_tip.h"

namespace heddle::gui {
namespace {

constexpr int kTop = 34;
constexpr int kLegend = 190;
constexpr double kReach = 12;  // pixels around a mark
constexpr double kRoomAbove = 1.06;

std::size_t place_of(const std::vector<std::string>& all, const std::string& one) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), one) - all.begin());
}

/// Halves of "fabric/strategy", each once, as they occur.
std::vector<std::string> halves(const std::vector<std::string>& cases, bool strategy) {
  std::vector<std::string> out;
  for (const std::string& id : cases) {
    const std::size_t slash = id.find('/');
    std::string half = strategy ? id.substr(slash + 1) : id.substr(0, slash);
    if (place_of(out, half) == out.size()) out.push_back(std::move(half));
  }
  return out;
}

}  // namespace

CurvesPlot::CurvesPlot(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Curves");
  setMinimumSize(220, 160);
}

void CurvesPlot::set_answer(const SweepAnswer* answer, SweepChoice choice) {
  answer_ = answer;
  choice_ = std::move(choice);
  top_ = 0;
  for (std::size_t p = 0; answer_ != nullptr && p < answer_->points_done(); ++p) {
    for (const std::string& id : answer_->cases()) {
      top_ = std::max(top_, answer_->cell(p, id, choice_.column).value.value_or(0));
    }
  }
  top_ = top_ > 0 ? top_ * kRoomAbove : 1;
  update();
}

QRectF CurvesPlot::plot_rect() const {
  const QFontMetrics metrics(ui_font(-1));
  const double left = metrics.horizontalAdvance("000000.00 GB") + 16.0;
  const double bottom = 2.0 * QFontMetrics(ui_font()).height() + 18;
  return {left, kTop, std::max(10.0, width() - left - kLegend),
          std::max(10.0, height() - kTop - bottom)};
}

double CurvesPlot::x_of(std::size_t point) const {
  const QRectF plot = plot_rect();
  const auto count = static_cast<double>(answer_->grid().size());
  return plot.x() + (static_cast<double>(point) + 0.5) / count * plot.width();
}

double CurvesPlot::y_of(double value) const {
  const QRectF plot = plot_rect();
  return plot.bottom() - value / top_ * plot.height();
}

QPen CurvesPlot::pen_of(const std::string& case_id) const {
  const std::size_t slash = case_id.find('/');
  const std::size_t strategy =
      place_of(halves(answer_->cases(), true), case_id.substr(slash + 1)) % (kLayerCount - 2);
  const std::size_t fabric =
      place_of(halves(answer_->cases(), false), case_id.substr(0, slash)) % 4;
  constexpr Qt::PenStyle kStyles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
  const bool chosen = choice_.case_id == kBestCase || choice_.case_id == case_id;
  QColor color = theme().layers[kFirstCategoryLayer + strategy];
  if (!chosen) color.setAlphaF(0.4F);
  return {color, chosen ? 2.2 : 1.4, kStyles[fabric]};
}

void CurvesPlot::paint_axes(QPainter& painter) const {
  const QRectF plot = plot_rect();
  const sweep::Column& column = answer_->columns()[choice_.column];
  painter.setFont(ui_font(-1));
  const int high = painter.fontMetrics().height();
  const int most = std::max(2, static_cast<int>(plot.height()) / (3 * high));
  for (const double value : value_ticks(top_, most)) {
    const double y = std::round(y_of(value));
    painter.fillRect(QRectF(plot.x(), y, plot.width(), 1), theme().line);
    painter.setPen(theme().muted);
    const QString said = value == 0 ? "0" : QString::fromStdString(figure_text(column, value));
    painter.drawText(QRectF(0, y - high / 2.0, plot.x() - 8, high),
                     Qt::AlignRight | Qt::AlignVCenter, said);
  }
  painter.setFont(ui_font());
  const sweep::Axis& axis = answer_->grid().axes().front();
  double last = -1e9;
  for (std::size_t p = 0; p < axis.values.size(); ++p) {
    const QString said = QString::fromStdString(axis.values[p]);
    const double wide = painter.fontMetrics().horizontalAdvance(said) + 4.0;
    if (x_of(p) - wide / 2 < last + 6) continue;
    last = x_of(p) + wide / 2;
    painter.setPen(theme().text);
    painter.drawText(
        QRectF(x_of(p) - wide / 2, plot.bottom() + 5, wide, painter.fontMetrics().height()),
        Qt::AlignCenter, said);
  }
  painter.setPen(theme().muted);
  painter.drawText(QRectF(plot.x(), height() - painter.fontMetrics().height() - 5.0, plot.width(),
                          painter.fontMetrics().height()),
                   Qt::AlignCenter, QString::fromStdString(axis.path));
  painter.setFont(ui_font(0, true));
  painter.setPen(theme().text);
  painter.drawText(QRectF(8, 6, plot.right(), 20), Qt::AlignLeft | Qt::AlignVCenter,
                   QString::fromStdString(answer_->title(choice_.column)));
}

void CurvesPlot::paint_curve(QPainter& painter, const std::string& case_id) const {
  const QPen pen = pen_of(case_id);
  QPainterPath path;
  bool begun = false;
  for (std::size_t p = 0; p < answer_->points_done(); ++p) {
    const SweepCell cell = answer_->cell(p, case_id, choice_.column);
    if (!cell.value) {
      begun = false;  // a refused point is a gap
      continue;
    }
    const QPointF at(x_of(p), y_of(*cell.value));
    if (begun) path.lineTo(at);
    if (!begun) path.moveTo(at);
    begun = true;
  }
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
  painter.setPen(QPen(pen.color(), 1.6));
  for (std::size_t p = 0; p < answer_->points_done(); ++p) {
    const SweepCell cell = answer_->cell(p, case_id, choice_.column);
    if (!cell.value) continue;
    painter.setBrush(cell.fits ? pen.color() : theme().panel);
    painter.drawEllipse(QPointF(x_of(p), y_of(*cell.value)), 4, 4);
  }
}

void CurvesPlot::paint_legend(QPainter& painter) const {
  painter.setFont(ui_font(-1));
  const int high = painter.fontMetrics().height() + 4;
  double y = kTop;
  const double x = width() - kLegend + 14.0;
  for (const std::string& id : answer_->cases()) {
    painter.setPen(pen_of(id));
    painter.drawLine(QPointF(x, y + high / 2.0), QPointF(x + 26, y + high / 2.0));
    painter.setPen(theme().text);
    const QRectF room(x + 34, y, kLegend - 54.0, high);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(QString::fromStdString(id), Qt::ElideRight,
                                                      static_cast<int>(room.width())));
    y += high;
  }
  painter.setPen(theme().muted);
  painter.drawText(QRectF(x, y + 4, kLegend - 20.0, high), Qt::AlignLeft | Qt::AlignVCenter,
                   "open marks do not fit");
}

void CurvesPlot::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  if (answer_ == nullptr) return;
  paint_axes(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const std::string& id : answer_->cases()) paint_curve(painter, id);
  paint_legend(painter);
}

CurvesPlot::Mark CurvesPlot::mark_at(const QPointF& at) const {
  Mark best;
  double distance = kReach;
  for (std::size_t p = 0; answer_ != nullptr && p < answer_->points_done(); ++p) {
    for (const std::string& id : answer_->cases()) {
      const SweepCell cell = answer_->cell(p, id, choice_.column);
      if (!cell.value) continue;
      const QPointF place(x_of(p), y_of(*cell.value));
      const double off = std::hypot(place.x() - at.x(), place.y() - at.y());
      if (off >= distance) continue;
      distance = off;
      const std::string said = id + ": " + cell.text + "\n" +
                               (cell.trouble.empty() ? "fits" : cell.trouble) +
                               "; click to open it";
      best = {p, id, place, QString::fromStdString(said)};
    }
  }
  return best;
}

void CurvesPlot::mouseReleaseEvent(QMouseEvent* event) {
  const Mark mark = mark_at(event->position());
  if (!mark.words.isEmpty() && event->button() == Qt::LeftButton) {
    Q_EMIT opened(mark.point, mark.case_id);
  }
}

bool CurvesPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  show_tip(*help, mark_at(help->pos()).words, *this);
  return true;
}

}  // namespace heddle::gui
