#include "gui/views/fabric_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/models/bundle_load.h"
#include "gui/models/case_view.h"
#include "gui/models/ticks.h"
#include "gui/models/time_axis.h"
#include "gui/views/theme.h"
#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

constexpr int kHeading = 54;
constexpr int kMargin = 26;
constexpr double kMostSlot = 150;
constexpr double kMostTier = 165;
constexpr double kApart = 3.2;  // pixels from the middle of a bundle to either direction

QString percent(double share) {
  return QString::number(share * 100, 'f', share < 0.0995 ? 1 : 0) + " %";
}

}  // namespace

/// A bundle on screen.
struct FabricView::Wire {
  const FabricBundle* bundle;
  QPainterPath there;  // side of a
  QPainterPath back;
  QPointF middle;
};

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
  const double slot = place(1, 0).x() - place(0, 0).x();
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

std::vector<FabricView::Wire> FabricView::wires() const {
  std::vector<Wire> out;
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

void FabricView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  if (!view_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const std::vector<Wire> all = wires();
  paint_frames(painter);
  paint_wires(painter, all);
  paint_vertices(painter);
  paint_loads(painter, all);
  paint_heading(painter);
}

void FabricView::paint_frames(QPainter& painter) const {
  for (const MachineFrame& frame : layout_.machines) {
    QRectF box(place(frame.left + 0.06, frame.top + 0.08),
               place(frame.right - 0.06, frame.bottom - 0.08));
    painter.setPen(theme().line);
    painter.setBrush(theme().window);
    painter.drawRoundedRect(box, 10, 10);
    painter.setPen(theme().muted);
    painter.setFont(ui_font(-1));
    if (layout_.machines.size() > 1) {
      painter.drawText(box.adjusted(10, 6, -10, 0), Qt::AlignLeft | Qt::AlignTop,
                       QString("machine %1").arg(frame.node));
    }
  }
}

/// Idle ones first, so that what glows is on top.
void FabricView::paint_wires(QPainter& painter, const std::vector<Wire>& wires) const {
  struct Stroke {
    double share;
    const QPainterPath* path;
  };
  std::vector<Stroke> strokes;
  for (const Wire& wire : wires) {
    strokes.push_back(
        {bundle_load(*view_, wire.bundle->there, axis_.cursor()).share(), &wire.there});
    strokes.push_back({bundle_load(*view_, wire.bundle->back, axis_.cursor()).share(), &wire.back});
  }
  std::stable_sort(strokes.begin(), strokes.end(),
                   [](const auto& a, const auto& b) { return a.share < b.share; });
  painter.setBrush(Qt::NoBrush);
  for (const Stroke& stroke : strokes) {
    const double share = std::clamp(stroke.share, 0.0, 1.0);
    const QColor color = theme().load(stroke.share);
    if (share > 0.3) {  // a glow around what is busy
      QColor halo = color;
      halo.setAlphaF(static_cast<float>(0.22 * share));
      painter.setPen(QPen(halo, 5 + 10 * share, Qt::SolidLine, Qt::RoundCap));
      painter.drawPath(*stroke.path);
    }
    QPen pen(color, share > 0 ? 1.5 + 3 * share : 1.1);
    pen.setCapStyle(Qt::FlatCap);
    if (share <= 0) pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawPath(*stroke.path);
  }
}

/// The busiest bundles say what they carry, as long as labels do not meet.
void FabricView::paint_loads(QPainter& painter, const std::vector<Wire>& wires) const {
  struct Label {
    double share;
    BundleLoad load;
    QPointF at;
  };
  std::vector<Label> labels;
  for (const Wire& wire : wires) {
    const BundleLoad there = bundle_load(*view_, wire.bundle->there, axis_.cursor());
    const BundleLoad back = bundle_load(*view_, wire.bundle->back, axis_.cursor());
    const BundleLoad& more = there.share() >= back.share() ? there : back;
    if (more.share() > 0) labels.push_back({more.share(), more, wire.middle});
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  std::vector<QRectF> taken;
  for (std::size_t v = 0; v < layout_.vertices.size(); ++v) taken.push_back(vertex_rect(v));
  painter.setFont(ui_font(-1));
  const QFontMetrics metrics = painter.fontMetrics();
  for (const Label& label : labels) {
    const QString text =
        percent(label.share) + " of " +
        QString::fromStdString(format_bandwidth({std::llround(label.load.capacity)}));
    QRectF box(0, 0, metrics.horizontalAdvance(text) + 10.0, metrics.height() + 2.0);
    box.moveCenter(label.at);
    const auto meets = [&](const QRectF& other) {
      return other.intersects(box.adjusted(-3, -2, 3, 2));
    };
    if (std::any_of(taken.begin(), taken.end(), meets)) continue;
    taken.push_back(box);
    painter.setPen(Qt::NoPen);
    QColor ground = theme().panel;
    ground.setAlphaF(0.9F);
    painter.setBrush(ground);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(theme().text);
    painter.drawText(box, Qt::AlignCenter, text);
  }
}

void FabricView::paint_vertices(QPainter& painter) const {
  for (std::size_t i = 0; i < layout_.vertices.size(); ++i) {
    const QRectF box = vertex_rect(i);
    const int rank = rank_of(layout_.vertices[i]);
    painter.setPen(QPen(rank >= 0 ? theme().accent : theme().line, rank >= 0 ? 1.6 : 1));
    painter.setBrush(theme().raised);
    painter.drawRoundedRect(box, 5, 5);
    const QString name = vertex_name(layout_.vertices[i]);
    painter.setFont(ui_font(0, rank >= 0));
    if (painter.fontMetrics().horizontalAdvance(name) > box.width() - 6) continue;
    const bool gpu =
        layout_.vertices[i].device.valid() &&
        view_->fabric().device(layout_.vertices[i].device).kind == fabric::DeviceKind::kGpu;
    painter.setPen(rank >= 0 || !gpu ? theme().text : theme().muted);
    const bool two_lines = rank >= 0 && box.height() > 2 * painter.fontMetrics().height();
    const QRectF upper = two_lines ? box.adjusted(0, 4, 0, -box.height() / 2) : box;
    painter.drawText(upper, Qt::AlignCenter, name);
    if (!two_lines) continue;
    painter.setFont(ui_font(-1));
    painter.setPen(theme().accent);
    painter.drawText(box.adjusted(0, box.height() / 2, 0, -4), Qt::AlignCenter,
                     QString("rank %1").arg(rank));
  }
}

void FabricView::paint_heading(QPainter& painter) const {
  painter.fillRect(0, 0, width(), kHeading, theme().window);
  painter.setFont(ui_font(0, true));
  painter.setPen(theme().text);
  painter.drawText(QRect(12, 7, width() - 24, 20), Qt::AlignLeft | Qt::AlignVCenter,
                   QString::fromStdString(view_->result().case_id));
  painter.setFont(ui_font(-1));
  painter.setPen(theme().muted);
  QString when = "mean load over the step, share of what a link carries in one direction";
  if (axis_.cursor()) {
    const double t = *axis_.cursor() - view_->last_step().begin;
    when = QString("load %1 into the step, share of what a link carries in one direction")
               .arg(QString::fromStdString(time_text(t, view_->last_step().length())));
  }
  painter.drawText(QRect(12, 27, width() - 260, 20), Qt::AlignLeft | Qt::AlignVCenter, when);
  const QRect scale(width() - 212, 12, 160, 9);
  for (int x = 0; x < scale.width(); ++x) {
    const double share = (x + 0.5) / scale.width();
    painter.fillRect(QRect(scale.x() + x, scale.y(), 1, scale.height()), theme().load(share));
  }
  for (const int mark : {0, 50, 100}) {
    const int x = scale.x() + scale.width() * mark / 100;
    painter.drawText(QRect(x - 40, scale.bottom() + 3, 80, 18), Qt::AlignHCenter | Qt::AlignTop,
                     QString("%1 %").arg(mark));
  }
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

void FabricView::mousePressEvent(QMouseEvent* event) {
  pressed_ = event->position();
}

void FabricView::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() == Qt::NoButton) return;
  pan_ += event->position() - pressed_;
  pressed_ = event->position();
  update();
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

QString FabricView::tip(const QPointF& at) const {
  QPainterPathStroker stroker;
  stroker.setWidth(9);
  for (const Wire& wire : wires()) {
    for (const bool forward : {true, false}) {
      if (!stroker.createStroke(forward ? wire.there : wire.back).contains(at)) continue;
      const auto& links = forward ? wire.bundle->there : wire.bundle->back;
      if (links.empty()) continue;
      const BundleLoad load = bundle_load(*view_, links, axis_.cursor());
      const fabric::Link& first = view_->fabric().link(links.front());
      return QString("%1\n%2 x%3\n%4 of %5 per direction, %6")
          .arg(QString::fromStdString(view_->fabric().link_name(links.front())),
               QString::fromStdString(std::string(to_string(first.kind))))
          .arg(first.lanes * static_cast<int>(links.size()))
          .arg(QString::fromStdString(format_bandwidth({std::llround(load.load)})),
               QString::fromStdString(format_bandwidth({std::llround(load.capacity)})),
               percent(load.share()));
    }
  }
  return {};
}

bool FabricView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || !view_) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = tip(help->pos());
  if (text.isEmpty()) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help->globalPos(), text, this);
  }
  return true;
}

}  // namespace heddle::gui
