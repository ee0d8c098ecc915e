#include "gui/views/lanes_plot.h"

#include <QHelpEvent>
#include <QImage>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/models/case_view.h"
#include "gui/models/time_axis.h"
#include "gui/views/hatch.h"
#include "gui/views/theme.h"
#include "gui/views/tool_tip.h"
#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

constexpr int kLeastLane = 18;
constexpr int kMostLane = 44;
constexpr int kLaneGap = 4;
constexpr int kGroupGap = 20;             // the group's name stands there
constexpr std::size_t kMostBoxes = 4000;  // more in sight are too narrow for edges and names

PaintColors paint_colors() {
  PaintColors out{};
  for (std::size_t p = 0; p < kPaintCount; ++p) out[p] = theme().paints[p].rgba();
  return out;
}

bool begins_group(const std::vector<Lane>& lanes, int lane) {
  const auto i = static_cast<std::size_t>(lane);
  return i == 0 || lanes[i].group != lanes[i - 1].group || lanes[i].rank != lanes[i - 1].rank;
}

int group_count(const std::vector<Lane>& lanes) {
  int groups = 0;
  for (int i = 0; i < static_cast<int>(lanes.size()); ++i) groups += begins_group(lanes, i) ? 1 : 0;
  return groups;
}

}  // namespace

LanesPlot::LanesPlot(TimeAxis& axis, QWidget* parent) : TimePlot(axis, parent) {
  setAccessibleName("Streams");
}

void LanesPlot::set_view(std::shared_ptr<const CaseView> view) {
  set_lanes(view);
  TimePlot::set_view(std::move(view));
}

void LanesPlot::set_lanes(std::shared_ptr<const LaneSet> lanes) {
  lanes_ = std::move(lanes);
  updateGeometry();
  update();
}

int LanesPlot::lane_count() const {
  return lanes_ == nullptr ? 0 : static_cast<int>(lanes_->lanes().size());
}

int LanesPlot::wanted_gutter() const {
  const QFontMetrics metrics(ui_font());
  int widest = 0;
  for (int i = 0; i < lane_count(); ++i) {
    const std::string& name = lanes_->lanes()[static_cast<std::size_t>(i)].name;
    widest = std::max(widest, metrics.horizontalAdvance(QString::fromStdString(name)));
  }
  return widest + 20;
}

QSize LanesPlot::minimumSizeHint() const {
  if (lanes_ == nullptr) return {100, 60};
  const int groups = group_count(lanes_->lanes()) * kGroupGap;
  return {100, groups + lane_count() * (kLeastLane + kLaneGap) + kLaneGap};
}

QSize LanesPlot::sizeHint() const {
  return {400, minimumSizeHint().height() + lane_count() * (kMostLane - kLeastLane)};
}

QRect LanesPlot::lane_rect(int lane) const {
  const auto& lanes = lanes_->lanes();
  const int groups = group_count(lanes) * kGroupGap;
  const int each = std::clamp((height() - groups - kLaneGap) / std::max(1, lane_count()) - kLaneGap,
                              kLeastLane, kMostLane);
  int y = 0;
  for (int i = 0; i <= lane; ++i) {
    if (begins_group(lanes, i)) y += kGroupGap;
    if (i < lane) y += each + kLaneGap;
  }
  const QRect plot = plot_rect();
  return {plot.x(), y, plot.width(), each};
}

int LanesPlot::lane_at(int y) const {
  for (int i = 0; i < lane_count(); ++i) {
    const QRect rect = lane_rect(i);
    if (y >= rect.top() && y <= rect.bottom()) return i;
  }
  return -1;
}

void LanesPlot::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  paint_steps(painter);
  for (int i = 0; i < lane_count(); ++i) paint_lane(painter, i);
  paint_cursor(painter);
}

void LanesPlot::paint_lane(QPainter& painter, int index) const {
  const Lane& lane = lanes_->lanes()[static_cast<std::size_t>(index)];
  const QRect rect = lane_rect(index);
  if (begins_group(lanes_->lanes(), index)) {
    painter.setFont(ui_font(-1));
    painter.setPen(theme().muted);
    painter.drawText(QRect(rect.x(), rect.y() - kGroupGap, rect.width(), kGroupGap),
                     Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(lane.group));
  }
  const double ratio = devicePixelRatioF();
  const int pixels = std::max(1, static_cast<int>(std::lround(rect.width() * ratio)));
  QImage row(pixels, 1, QImage::Format_RGB32);
  paint_row(lane.index, axis().range(), paint_colors(), theme().window.rgba(),
            {reinterpret_cast<std::uint32_t*>(row.bits()), static_cast<std::size_t>(pixels)});
  painter.drawImage(rect, row);
  paint_boxes(painter, lane, rect);
  painter.setFont(ui_font());
  painter.setPen(theme().text);
  paint_label(painter, rect.y(), rect.height(), QString::fromStdString(lane.name));
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

const LaneBox* LanesPlot::box_at(const QPoint& at, int& lane) const {
  lane = lane_at(at.y());
  if (lane < 0 || at.x() < plot_rect().left()) return nullptr;
  const auto slack = std::llround(2 * axis().range().length() / plot_rect().width());
  return lanes_->lanes()[static_cast<std::size_t>(lane)].index.at(std::llround(t_of(at.x())),
                                                                  slack);
}

void LanesPlot::mouseDoubleClickEvent(QMouseEvent* event) {
  int lane = 0;
  const LaneBox* box = box_at(event->position().toPoint(), lane);
  if (box == nullptr) return;
  const auto begin = static_cast<double>(box->start);
  const auto end = static_cast<double>(box->end);
  const double margin = (end - begin) * 0.15;
  axis().show({begin - margin, end + margin});
}

void LanesPlot::step_box(int by) {
  const int lane = 0;
  if (lane_count() == 0) return;
  const LaneIndex& index = lanes_->lanes()[static_cast<std::size_t>(lane)].index;
  const double now = axis().selection() ? axis().selection()->begin
                                        : axis().cursor().value_or(axis().range().begin);
  const std::size_t at = index.first_after(std::llround(now));
  if ((by < 0 && at == 0) || at + static_cast<std::size_t>(by > 0) >= index.boxes().size()) return;
  const std::size_t next = by < 0 ? at - 1 : at + (axis().selection() ? 1 : 0);
  const LaneBox& box = index.boxes()[next];
  const Span span{static_cast<double>(box.start), static_cast<double>(box.end)};
  axis().set_selection(span);
  axis().set_cursor(span.begin);
  if (!axis().range().holds(span.begin) || !axis().range().holds(span.end)) {
    const double length = std::max(axis().range().length(), span.length());
    axis().show({span.begin - length / 4, span.begin + length * 3 / 4});
  }
}

void LanesPlot::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Period) {
    step_box(1);
  } else if (event->key() == Qt::Key_Comma) {
    step_box(-1);
  } else {
    TimePlot::keyPressEvent(event);
  }
}

QString LanesPlot::tip(const QPoint& at) const {
  int lane = 0;
  const LaneBox* box = lanes_ == nullptr ? nullptr : box_at(at, lane);
  if (box == nullptr) return {};
  const Lane& of = lanes_->lanes()[static_cast<std::size_t>(lane)];
  const Duration length{box->end - box->start};
  return QString::fromStdString(lanes_->title(of, *box) + "\n" + format_duration(length) + "\n" +
                                lanes_->details(of, *box));
}

bool LanesPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return TimePlot::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  show_tip(*help, tip(help->pos()), *this);
  return true;
}

}  // namespace heddle::gui
