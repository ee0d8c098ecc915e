#include "gui/views/legend.h"

#include <QPainter>
#include <utility>

#include "gui/views/hatch.h"
#include "gui/views/theme.h"

namespace heddle::gui {
namespace {
constexpr int kSwatch = 10;
constexpr int kGap = 6;       // swatch to text
constexpr int kBetween = 16;  // entries
constexpr int kMargin = 10;
}  // namespace

Legend::Legend(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  setAccessibleName("Legend");
}

void Legend::set_entries(std::vector<LegendEntry> entries) {
  entries_ = std::move(entries);
  QStringList names;
  for (const LegendEntry& entry : entries_) names << entry.text;
  setAccessibleDescription(names.join(", "));
  updateGeometry();
  update();
}

std::vector<QRect> Legend::places(int width) const {
  const QFontMetrics metrics(ui_font(-1));
  const int height = metrics.height() + 4;
  std::vector<QRect> out;
  int x = kMargin;
  int y = 5;
  for (const LegendEntry& entry : entries_) {
    const int wide = kSwatch + kGap + metrics.horizontalAdvance(entry.text);
    if (x > kMargin && x + wide > width - kMargin) {
      x = kMargin;
      y += height;
    }
    out.emplace_back(x, y, wide, height);
    x += wide + kBetween;
  }
  return out;
}

int Legend::heightForWidth(int width) const {
  const auto all = places(width);
  return all.empty() ? 0 : all.back().bottom() + 6;
}

QSize Legend::sizeHint() const {
  const auto all = places(1 << 20);
  return all.empty() ? QSize() : QSize(all.back().right() + kMargin, heightForWidth(1 << 20));
}

QSize Legend::minimumSizeHint() const {
  return {0, sizeHint().height()};
}

void Legend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(ui_font(-1));
  const auto all = places(width());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const QRect& place = all[i];
    const QRect swatch(place.x(), place.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch);
    painter.fillRect(swatch, entries_[i].color);
    if (entries_[i].hatched) fill_hatch(painter, swatch, theme().panel);
    painter.setPen(theme().muted);
    painter.drawText(place.adjusted(kSwatch + kGap, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     entries_[i].text);
  }
}

}  // namespace heddle::gui
