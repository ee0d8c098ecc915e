// How FabricView paints.

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/models/bundle_load.h"
#include "gui/models/case_view.h"
#include "gui/models/ticks.h"
#include "gui/models/time_axis.h"
#include "gui/views/fabric_view.h"
#include "gui/views/fabric_wire.h"
#include "gui/views/theme.h"
#include "sim/base/units_text.h"

namespace heddle::gui {
namespace {

constexpr std::size_t kMostLabels = 200;   // the busiest; each looks for room among all others
constexpr std::size_t kMostSmooth = 3000;  // bundles drawn with smooth edges and a glow

/// "7" of "nic7": what is left of a name where there is no room for it.
QString number_of(const QString& name) {
  qsizetype first = name.size();
  while (first > 0 && name[first - 1].isDigit()) --first;
  return name.mid(first);
}

}  // namespace

void FabricView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  if (!view_) return;
  const std::vector<FabricWire> all = wires();
  painter.setRenderHint(QPainter::Antialiasing, all.size() <= kMostSmooth);
  paint_frames(painter);
  paint_wires(painter, all);
  paint_vertices(painter);
  paint_loads(painter, all);
  paint_dragged(painter);
  paint_heading(painter);
}

/// At the pointer, and the GPU it would move to.
void FabricView::paint_dragged(QPainter& painter) const {
  if (dragged_ < 0) return;
  painter.setBrush(Qt::NoBrush);
  if (const auto gpu = gpu_at(pressed_)) {
    painter.setPen(QPen(theme().accent, 2, Qt::DashLine));
    painter.drawRoundedRect(vertex_rect(*gpu).adjusted(-4, -4, 4, 4), 7, 7);
  }
  const QRectF box(pressed_ + QPointF(10, 10), QSizeF(64, 24));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().accent);
  painter.drawRoundedRect(box, 5, 5);
  painter.setPen(theme().on_accent);
  painter.setFont(ui_font(0, true));
  painter.drawText(box, Qt::AlignCenter, QString("rank %1").arg(dragged_));
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
void FabricView::paint_wires(QPainter& painter, const std::vector<FabricWire>& wires) const {
  struct Stroke {
    double share;
    const QPainterPath* path;
  };
  std::vector<Stroke> strokes;
  for (const FabricWire& wire : wires) {
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
    if (share > 0.3 && wires.size() <= kMostSmooth) {  // a glow around what is busy
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
void FabricView::paint_loads(QPainter& painter, const std::vector<FabricWire>& wires) const {
  struct Label {
    double share;
    BundleLoad load;
    QPointF at;
  };
  std::vector<Label> labels;
  for (const FabricWire& wire : wires) {
    const BundleLoad there = bundle_load(*view_, wire.bundle->there, axis_.cursor());
    const BundleLoad back = bundle_load(*view_, wire.bundle->back, axis_.cursor());
    const BundleLoad& more = there.share() >= back.share() ? there : back;
    if (more.share() > 0) labels.push_back({more.share(), more, wire.middle});
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  if (labels.size() > kMostLabels) labels.resize(kMostLabels);
  std::vector<QRectF> taken;
  for (std::size_t v = 0; v < layout_.vertices.size(); ++v) taken.push_back(vertex_rect(v));
  painter.setFont(ui_font(-1));
  const QFontMetrics metrics = painter.fontMetrics();
  for (const Label& label : labels) {
    const QString text =
        QString::fromStdString(percent_text(label.load)) + " of " +
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
    QString name = vertex_name(layout_.vertices[i]);
    painter.setFont(ui_font(0, rank >= 0));
    if (painter.fontMetrics().horizontalAdvance(name) > box.width() - 6) name = number_of(name);
    if (painter.fontMetrics().horizontalAdvance(name) > box.width() - 2) continue;
    const bool gpu =
        layout_.vertices[i].device.valid() &&
        view_->fabric().device(layout_.vertices[i].device).kind == fabric::DeviceKind::kGpu;
    painter.setPen(rank >= 0 || !gpu ? theme().text : theme().muted);
    const bool two_lines = rank >= 0 && box.height() > 2 * painter.fontMetrics().height() &&
                           box.width() > painter.fontMetrics().horizontalAdvance("rank 00");
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

}  // namespace heddle::gui
