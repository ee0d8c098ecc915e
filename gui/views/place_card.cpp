#include "gui/views/place_card.h"

#include <QPainter>
#include <algorithm>
#include <map>
#include <utility>

#include "gui/views/hatch.h"
#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

constexpr int kMargin = 12;
constexpr int kPerRow = 4;  // so that quads are rows
constexpr double kMostSide = 52;
constexpr double kGap = 5;

std::map<int, std::vector<run::GpuPlace>> by_node(const std::vector<run::GpuPlace>& gpus) {
  std::map<int, std::vector<run::GpuPlace>> out;
  for (const run::GpuPlace& gpu : gpus) out[gpu.node].push_back(gpu);
  return out;
}

int rows_of(std::size_t gpus) {
  return (static_cast<int>(gpus) + kPerRow - 1) / kPerRow;
}

}  // namespace

PlaceCard::PlaceCard(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Placement");
}

void PlaceCard::set_content(std::optional<PlaceCardContent> content, const QString& invitation) {
  content_ = std::move(content);
  invitation_ = invitation;
  if (content_) setAccessibleDescription(content_->title + ": " + content_->lines.join("; "));
  update();
}

/// Returns where it ends.
double PlaceCard::paint_machine(QPainter& painter, const std::vector<run::GpuPlace>& gpus,
                                double top, double side) const {
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const std::size_t above = i / kPerRow;
    const auto column = static_cast<double>(i % kPerRow);
    const auto row = static_cast<double>(above);
    const QRectF box(kMargin + column * (side + kGap), top + row * (side + kGap), side, side);
    const auto& job = content_->job;
    const auto rank = std::find(job.begin(), job.end(), gpus[i]);
    const bool used = rank != job.end();
    painter.setPen(Qt::NoPen);
    painter.setBrush(used ? theme().accent : theme().raised);
    painter.drawRoundedRect(box, 4, 4);
    const auto& busy = content_->busy;
    if (std::find(busy.begin(), busy.end(), gpus[i]) != busy.end()) {
      fill_hatch(painter, box, theme().muted, 8);
    }
    painter.setPen(used ? theme().on_accent : theme().muted);
    painter.setFont(ui_font(0, used));
    const bool two = used && side > 2.4 * painter.fontMetrics().height();
    painter.drawText(two ? box.adjusted(0, 3, 0, -side / 2) : box, Qt::AlignCenter,
                     QString::number(gpus[i].gpu));
    if (!two) continue;
    painter.setFont(ui_font(-1));
    painter.drawText(box.adjusted(0, side / 2, 0, -3), Qt::AlignCenter,
                     QString("rank %1").arg(rank - job.begin()));
  }
  return top + rows_of(gpus.size()) * (side + kGap);
}

void PlaceCard::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(ui_font(0, content_.has_value()));
  painter.setPen(content_ ? theme().text : theme().muted);
  const int line = painter.fontMetrics().height() + 2;
  const QRect inner = rect().adjusted(kMargin, 8, -kMargin, -8);
  if (!content_) {
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, invitation_);
    return;
  }
  painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop, content_->title);
  const auto nodes = by_node(content_->machine);
  int rows = 0;
  for (const auto& [node, gpus] : nodes) rows += rows_of(gpus.size());
  const bool several = nodes.size() > 1;
  const double words = static_cast<double>(line * content_->lines.size());
  const double room =
      height() - 8 - line - words - 16 - (several ? 16.0 * static_cast<double>(nodes.size()) : 0);
  const double side =
      std::clamp(std::min((inner.width() + kGap) / kPerRow - kGap, room / std::max(1, rows) - kGap),
                 4.0, kMostSide);
  double top = 8 + line + 4;
  for (const auto& [node, gpus] : nodes) {
    if (several) {
      painter.setFont(ui_font(-1));
      painter.setPen(theme().muted);
      painter.drawText(QRectF(kMargin, top, inner.width(), 15), Qt::AlignLeft | Qt::AlignVCenter,
                       QString("machine %1").arg(node));
      top += 16;
    }
    top = paint_machine(painter, gpus, top, side);
  }
  painter.setFont(ui_font());
  for (qsizetype i = 0; i < content_->lines.size(); ++i) {
    const bool last = i + 1 == content_->lines.size();
    painter.setPen(last && content_->line_color.isValid() ? content_->line_color : theme().text);
    painter.drawText(
        QRectF(kMargin, top + 4, inner.width(), line), Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(content_->lines[i], Qt::ElideRight, inner.width()));
    top += line;
  }
}

}  // namespace heddle::gui
