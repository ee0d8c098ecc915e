#include "gui/views/fabric_view.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainterPath>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "gui/models/bundle_load.h"
#include "gui/models/case_view.h"
#include "gui/models/time_axis.h"
#include "gui/models/what_if.h"
#include "gui/views/fabric_wire.h"
#include "gui/views/theme.h"
#include "gui/views/tool_tip.h"
#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

constexpr int kMargin = 26;
constexpr double kMostSlot = 150;
constexpr double kMostTier = 165;
constexpr double kApart = 3.2;  // pixels from the middle of a bundle to either direction

/// How far the next vertex in the same row is; four slots for those that are alone.
std::vector<double> room_in_rows(const std::vector<FabricVertex>& vertices) {
  std::map<double, std::vector<std::size_t>> rows;
  for (std::size_t v = 0; v < vertices.size(); ++v) rows[vertices[v].y].push_back(v);
  std::vector<double> out(vertices.size(), 4);
  for (auto& [y, row] : rows) {
    std::sort(row.begin(), row.end(),
              [&](std::size_t a, std::size_t b) { return vertices[a].x < vertices[b].x; });
    for (std::size_t i = 1; i < row.size(); ++i) {
      const double apart = vertices[row[i]].x - vertices[row[i - 1]].x;
      out[row[i]] = std::min(out[row[i]], apart);
      out[row[i - 1]] = std::min(out[row[i - 1]], apart);
    }
  }
  return out;
}

}  // namespace

FabricView::FabricView(TimeAxis& axis, QWidget* parent) : QWidget(parent), axis_(axis) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName("Fabric");
  setMinimumSize(200, 160);
  connect(&axis_, &TimeAxis::cursor_changed, this, qOverload<>(&QWidget::update));
}

FabricView::~FabricView() = default;

void FabricView::set_view(std::shared_ptr<const CaseView> view) {
  const bool same_machine = view_ && view && &view_->fabric() == &view->fabric();
  view_ = std::move(view);
  if (!same_machine && view_) {
    set_collapsed(view_->fabric().gpus().size() > kMostGpusExpanded);
    fit();
  }
  update();
}

void FabricView::set_collapsed(bool collapsed) {
  collapsed_ = collapsed;
  layout_ = view_ ? lay_out(view_->fabric(), collapsed) : FabricLayout{};
  room_ = room_in_rows(layout_.vertices);
  update();
}

void FabricView::fit() {
  zoom_ = 1;
  pan_ = {};
  update();
}

QPointF FabricView::place(double x, double y) const {
  const double slot = std::min(kMostSlot, (width() - 2.0 * kMargin) / std::max(1.0, layout_.width));
  const double tier =
      std::min(kMostTier, (height() - kHeading - 1.0 * kMargin) / std::max(1.0, layout_.height));
  const double left = (width() - slot * (layout_.width - 1)) / 2;
  const double top = kHeading + (height() - kHeading - tier * (layout_.height - 1)) / 2;
  const QPointF centre(width() / 2.0, (kHeading + height()) / 2.0);
  const QPointF at(left + x * slot, top + y * tier);
  return centre + (at - centre) * zoom_ + pan_;
}

QRectF FabricView::vertex_rect(std::size_t vertex) const {
  const FabricVertex& v = layout_.vertices[vertex];
  const double slot = (place(1, 0).x() - place(0, 0).x()) * room_[vertex];
  const QFontMetrics metrics(ui_font());
  const double wanted = metrics.horizontalAdvance(vertex_name(v)) + 22.0;
  const double wide = std::clamp(wanted, 8.0, std::max(8.0, slot - 6));
  const double high = std::min(2.0 * metrics.height() + 10, std::max(8.0, slot * 0.75));
  const QPointF centre = place(v.x, v.y);
  return {centre.x() - wide / 2, centre.y() - high / 2, wide, high};
}

QString FabricView::vertex_name(const FabricVertex& vertex) const {
  if (!vertex.device.valid()) return QString("machine %1").arg(vertex.node);
  const std::string& name = view_->fabric().device(vertex.device).name;
  const std::size_t slash = name.rfind('/');  // the frame names the machine
  return QString::fromStdString(slash == std::string::npos ? name : name.substr(slash + 1));
}

int FabricView::rank_of(const FabricVertex& vertex) const {
  const auto members = view_->study().members(view_->id());
  const auto found = std::find(members.begin(), members.end(), vertex.device);
  return found == members.end() ? -1 : static_cast<int>(found - members.begin());
}

QColor FabricView::bundle_color(const std::vector<fabric::LinkId>& links) const {
  return theme().load(bundle_load(*view_, links, axis_.cursor()).share());
}

std::vector<FabricWire> FabricView::wires() const {
  std::vector<FabricWire> out;
  for (const FabricBundle& bundle : layout_.bundles) {
    const FabricVertex& a = layout_.vertices[bundle.a];
    const FabricVertex& b = layout_.vertices[bundle.b];
    const QPointF from = place(a.x, a.y);
    const QPointF to = place(b.x, b.y);
    const QPointF along = to - from;
    const double length = std::max(1.0, std::hypot(along.x(), along.y()));
    const QPointF side = QPointF(-along.y(), along.x()) / length * kApart;
    // Neighbours in a row are joined by arcs, the farther the deeper: away from what hangs on them.
    const double tier = place(0, 1).y() - place(0, 0).y();
    const double sag = a.y == b.y ? std::min(0.3 * length, 0.4 * tier + 0.04 * length) : 0;
    const QPointF bend(0, a.y == 0 ? -std::min(sag, 0.6 * tier) : std::min(sag, 0.66 * tier));
    const auto path = [&](const QPointF& shift) {
      QPainterPath p(from + shift);
      if (sag == 0) {
        p.lineTo(to + shift);
      } else {
        p.quadTo((from + to) / 2 + bend + shift, to + shift);
      }
      return p;
    };
    out.push_back({&bundle, path(side), path(-side), (from + to) / 2 + bend / 2});
  }
  return out;
}

void FabricView::wheelEvent(QWheelEvent* event) {
  const double factor = std::pow(1.2, event->angleDelta().y() / 120.0);
  const double next = std::clamp(zoom_ * factor, 0.3, 40.0);
  const QPointF centre(width() / 2.0, (kHeading + height()) / 2.0);
  const QPointF at = event->position() - centre;
  pan_ = at - (at - pan_) * (next / zoom_);
  zoom_ = next;
  update();
}

std::optional<std::size_t> FabricView::gpu_at(const QPointF& at) const {
  for (std::size_t v = 0; v < layout_.vertices.size(); ++v) {
    const fabric::DeviceId device = layout_.vertices[v].device;
    const bool gpu =
        device.valid() && view_ && view_->fabric().device(device).kind == fabric::DeviceKind::kGpu;
    if (gpu && vertex_rect(v).contains(at)) return v;
  }
  return std::nullopt;
}

void FabricView::mousePressEvent(QMouseEvent* event) {
  pressed_ = event->position();
  const auto gpu = gpu_at(pressed_);
  dragged_ = gpu && event->button() == Qt::LeftButton ? rank_of(layout_.vertices[*gpu]) : -1;
}

void FabricView::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() == Qt::NoButton) return;
  if (dragged_ < 0) pan_ += event->position() - pressed_;
  pressed_ = event->position();
  update();
}

void FabricView::mouseReleaseEvent(QMouseEvent* event) {
  const int rank = std::exchange(dragged_, -1);
  const auto gpu = gpu_at(event->position());
  update();
  if (rank < 0 || !gpu || rank_of(layout_.vertices[*gpu]) == rank) return;
  Q_EMIT move_asked(rank, layout_.vertices[*gpu].device);
}

void FabricView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Home:
      return fit();
    case Qt::Key_E:
      return set_collapsed(!collapsed_);
    case Qt::Key_Escape:
      return axis_.set_cursor(std::nullopt);
    default:
      QWidget::keyPressEvent(event);
  }
}

/// A bundle and the direction of it whose wire runs by `at`.
std::optional<FabricView::Hit> FabricView::hit(const QPointF& at) const {
  QPainterPathStroker stroker;
  stroker.setWidth(9);
  for (const FabricWire& wire : wires()) {
    for (const bool forward : {true, false}) {
      const auto& links = forward ? wire.bundle->there : wire.bundle->back;
      if (links.empty()) continue;
      if (stroker.createStroke(forward ? wire.there : wire.back).contains(at)) return Hit{&links};
    }
  }
  return std::nullopt;
}

std::optional<fabric::LinkId> FabricView::link_at(const QPointF& at) const {
  const auto found = hit(at);
  return found ? std::optional(found->links->front()) : std::nullopt;
}

QString FabricView::tip(const QPointF& at) const {
  const auto found = hit(at);
  if (!found) return {};
  const auto& links = *found->links;
  const BundleLoad load = bundle_load(*view_, links, axis_.cursor());
  const fabric::Link& first = view_->fabric().link(links.front());
  return QString("%1\n%2 x%3\n%4 of %5 per direction, %6")
      .arg(QString::fromStdString(view_->fabric().link_name(links.front())),
           QString::fromStdString(std::string(to_string(first.kind))))
      .arg(first.lanes * static_cast<int>(links.size()))
      .arg(QString::fromStdString(format_bandwidth({std::llround(load.load)})),
           QString::fromStdString(format_bandwidth({std::llround(load.capacity)})),
           QString::fromStdString(percent_text(load)));
}

void FabricView::contextMenuEvent(QContextMenuEvent* event) {
  const auto link = view_ ? link_at(event->pos()) : std::nullopt;
  if (!link || collapsed_) return;
  const std::string wire = wire_name(view_->fabric(), *link);
  QMenu menu(this);
  const QString name = QString::fromStdString(wire);
  menu.addAction("Take " + name + " down", [&] {
    Q_EMIT change_asked({fabric::LinkDown{wire}, ""});
  });
  for (const int share : {50, 10}) {
    menu.addAction(QString("Slow %1 to %2 % of its capacity").arg(name).arg(share), [&, share] {
      Q_EMIT change_asked({fabric::LinkCapacity{wire, share * kPpb / 100}, ""});
    });
  }
  menu.exec(event->globalPos());
}

bool FabricView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !view_) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  show_tip(*help, tip(help->pos()), *this);
  return true;
}

}  // namespace heddle::gui
