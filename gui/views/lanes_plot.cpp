#include "gui/views/lanes_plot.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/models/case_view.h"
#include "gui/models/time_axis.h"
#include "gui/views/theme.h"
#include "gui/views/tool_tip.h"
#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

constexpr int kLeastLane = 18;
constexpr int kMostLane = 44;
constexpr int kLaneGap = 4;
constexpr int kGroupGap = 20;  // the group's name stands there
constexpr int kClick = 3;      // pixels that are no drag

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
  marks_.clear();
  order_.set_lanes(lanes_ ? lanes_->lanes() : std::vector<Lane>());
  current_ = std::clamp(current_, 0, std::max(0, lane_count() - 1));
  updateGeometry();
  update();
}

int LanesPlot::lane_count() const {
  return static_cast<int>(order_.shown().size());
}

const Lane& LanesPlot::lane(int row) const {
  return lanes_->lanes()[order_.shown()[static_cast<std::size_t>(row)]];
}

bool LanesPlot::begins_group(int row) const {
  return row == 0 || lane(row).group != lane(row - 1).group || lane(row).rank != lane(row - 1).rank;
}

int LanesPlot::groups_height() const {
  int groups = 0;
  for (int row = 0; row < lane_count(); ++row) groups += begins_group(row) ? 1 : 0;
  return groups * kGroupGap;
}

int LanesPlot::wanted_gutter() const {
  const QFontMetrics metrics(ui_font(0, true));
  int widest = 0;
  for (int row = 0; row < lane_count(); ++row) {
    widest = std::max(widest, metrics.horizontalAdvance(QString::fromStdString(lane(row).name)));
  }
  return widest + 20;
}

QSize LanesPlot::minimumSizeHint() const {
  if (lanes_ == nullptr) return {100, 60};
  return {100,
          std::max(kGroupGap, groups_height()) + lane_count() * (kLeastLane + kLaneGap) + kLaneGap};
}

QSize LanesPlot::sizeHint() const {
  return {400, minimumSizeHint().height() + lane_count() * (kMostLane - kLeastLane)};
}

QRect LanesPlot::lane_rect(int row) const {
  const int each =
      std::clamp((height() - groups_height() - kLaneGap) / std::max(1, lane_count()) - kLaneGap,
                 kLeastLane, kMostLane);
  int y = 0;
  for (int i = 0; i <= row; ++i) {
    if (begins_group(i)) y += kGroupGap;
    if (i < row) y += each + kLaneGap;
  }
  const QRect plot = plot_rect();
  return {plot.x(), y, plot.width(), each};
}

int LanesPlot::lane_at(int y) const {
  for (int row = 0; row < lane_count(); ++row) {
    const QRect rect = lane_rect(row);
    if (y >= rect.top() && y <= rect.bottom()) return row;
  }
  return -1;
}

const LaneBox* LanesPlot::box_at(const QPoint& at, int& row) const {
  row = lane_at(at.y());
  if (row < 0 || at.x() < plot_rect().left()) return nullptr;
  const auto slack = std::llround(2 * axis().range().length() / plot_rect().width());
  return lane(row).index.at(std::llround(t_of(at.x())), slack);
}

void LanesPlot::rearrange() {
  current_ = std::clamp(current_, 0, std::max(0, lane_count() - 1));
  updateGeometry();
  update();
  if (rearranged) rearranged();
}

void LanesPlot::pin_current() {
  if (current_ < lane_count()) order_.toggle_pin(static_cast<std::size_t>(current_));
  rearrange();
}

/// The last one stays: there would be nothing to click.
void LanesPlot::hide_current() {
  if (lane_count() > 1) order_.hide(static_cast<std::size_t>(current_));
  rearrange();
}

void LanesPlot::show_all() {
  order_.show_all();
  rearrange();
}

void LanesPlot::move_lane(int from, int to) {
  order_.move(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  current_ = to;
  rearrange();
}

void LanesPlot::set_marks(std::vector<LaneMark> marks) {
  marks_ = std::move(marks);
  update();
}

void LanesPlot::show_mark(const LaneMark& mark) {
  const auto& shown = order_.shown();
  const auto row = std::find(shown.begin(), shown.end(), mark.lane);
  if (row != shown.end()) current_ = static_cast<int>(row - shown.begin());
  const Span span{static_cast<double>(mark.box.start), static_cast<double>(mark.box.end)};
  axis().set_selection(span);
  axis().set_cursor(span.begin);
  if (axis().range().holds(span.begin) && axis().range().holds(span.end)) return;
  const double length = std::max(axis().range().length(), span.length());
  axis().show({span.begin - length / 4, span.begin + length * 3 / 4});
}

void LanesPlot::mousePressEvent(QMouseEvent* event) {
  pressed_ = event->position().toPoint();
  const int row = lane_at(pressed_.y());
  if (row >= 0) current_ = row;
  const bool on_name = pressed_.x() < gutter() && event->button() == Qt::LeftButton;
  dragged_ = on_name ? row : -1;
  if (!on_name) TimePlot::mousePressEvent(event);
  update();
}

void LanesPlot::mouseMoveEvent(QMouseEvent* event) {
  if (dragged_ < 0) return TimePlot::mouseMoveEvent(event);
  const int row = lane_at(event->position().toPoint().y());
  if (row < 0 || row == dragged_) return;
  move_lane(dragged_, row);
  dragged_ = row;
}

void LanesPlot::mouseReleaseEvent(QMouseEvent* event) {
  const bool dragged = std::exchange(dragged_, -1) >= 0;
  if (dragged) return update();
  TimePlot::mouseReleaseEvent(event);
  const QPoint at = event->position().toPoint();
  if (event->button() != Qt::LeftButton || (at - pressed_).manhattanLength() > kClick) return;
  int row = 0;
  const LaneBox* box = lanes_ ? box_at(at, row) : nullptr;
  if (!picked) return;
  if (box == nullptr) return picked(std::nullopt);
  picked(LaneMark{order_.shown()[static_cast<std::size_t>(row)], *box});
}

void LanesPlot::mouseDoubleClickEvent(QMouseEvent* event) {
  int row = 0;
  const LaneBox* box = lanes_ ? box_at(event->position().toPoint(), row) : nullptr;
  if (box == nullptr) return;
  const auto begin = static_cast<double>(box->start);
  const auto end = static_cast<double>(box->end);
  const double margin = (end - begin) * 0.15;
  axis().show({begin - margin, end + margin});
}

void LanesPlot::contextMenuEvent(QContextMenuEvent* event) {
  const int row = lane_at(event->pos().y());
  if (row < 0) return;
  current_ = row;
  QMenu menu(this);
  const QString name = QString::fromStdString(lane(row).name);
  const bool pinned = order_.is_pinned(static_cast<std::size_t>(row));
  menu.addAction((pinned ? "Unpin " : "Pin ") + name + "    P", this, [this] { pin_current(); });
  menu.addAction("Hide " + name + "    H", this, [this] { hide_current(); });
  menu.addAction("Show all lanes    Shift+H", this, [this] { show_all(); });
  menu.exec(event->globalPos());
}

void LanesPlot::step_box(int by) {
  if (lane_count() == 0) return;
  const LaneIndex& index = lane(current_).index;
  const double now = axis().selection() ? axis().selection()->begin
                                        : axis().cursor().value_or(axis().range().begin);
  const std::size_t at = index.first_after(std::llround(now));
  if ((by < 0 && at == 0) || at + static_cast<std::size_t>(by > 0) >= index.boxes().size()) return;
  const std::size_t next = by < 0 ? at - 1 : at + (axis().selection() ? 1 : 0);
  show_mark({order_.shown()[static_cast<std::size_t>(current_)], index.boxes()[next]});
}

void LanesPlot::keyPressEvent(QKeyEvent* event) {
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  const bool control = event->modifiers().testFlag(Qt::ControlModifier);
  switch (event->key()) {
    case Qt::Key_Period:
      return step_box(1);
    case Qt::Key_Comma:
      return step_box(-1);
    case Qt::Key_P:
      return pin_current();
    case Qt::Key_H:
      return shift ? show_all() : hide_current();
    case Qt::Key_Up:
    case Qt::Key_Down: {
      if (!control) return TimePlot::keyPressEvent(event);
      const int by = event->key() == Qt::Key_Up ? -1 : 1;
      current_ = std::clamp(current_ + by, 0, std::max(0, lane_count() - 1));
      return update();
    }
    case Qt::Key_Escape:
      if (picked) picked(std::nullopt);
      return TimePlot::keyPressEvent(event);
    default:
      TimePlot::keyPressEvent(event);
  }
}

QString LanesPlot::tip(const QPoint& at) const {
  int row = 0;
  const LaneBox* box = lanes_ == nullptr ? nullptr : box_at(at, row);
  if (box == nullptr) return {};
  const Duration length{box->end - box->start};
  return QString::fromStdString(lanes_->title(lane(row), *box) + "\n" + format_duration(length) +
                                "\n" + lanes_->details(lane(row), *box));
}

bool LanesPlot::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return TimePlot::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  show_tip(*help, tip(help->pos()), *this);
  return true;
}

}  // namespace heddle::gui
