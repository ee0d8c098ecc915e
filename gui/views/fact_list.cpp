#include "gui/views/fact_list.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <utility>

#include "gui/views/theme.h"

namespace heddle::gui {
namespace {
constexpr int kMargin = 12;
constexpr int kSwatch = 9;
constexpr int kBelow = 3;  // pixels between lines
}  // namespace

FactList::FactList(QWidget* parent) : QWidget(parent) {
  setAccessibleName("Details");
}

int FactList::line() const {
  return QFontMetrics(ui_font()).height() + kBelow;
}

QSize FactList::sizeHint() const {
  return {200, static_cast<int>(facts_.size()) * line() + 2 * kMargin};
}

void FactList::set_facts(std::vector<Fact> facts) {
  facts_ = std::move(facts);
  QStringList words;
  for (const Fact& fact : facts_) words << fact.name + " " + fact.value;
  setAccessibleDescription(words.join("; "));
  setMinimumHeight(sizeHint().height());
  update();
}

void FactList::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().panel);
  int y = kMargin / 2;
  for (const Fact& fact : facts_) {
    const QRect row(kMargin, y, width() - 2 * kMargin, line());
    y += line();
    const bool heading = fact.value.isEmpty();
    painter.setFont(ui_font(0, heading));
    painter.setPen(theme().text);
    if (heading) {
      painter.drawText(row, Qt::AlignLeft | Qt::AlignBottom, fact.name);
      continue;
    }
    const int wide = painter.fontMetrics().horizontalAdvance(fact.value);
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, fact.value);
    int left = row.left();
    if (fact.swatch.isValid()) {
      painter.fillRect(left, row.center().y() - kSwatch / 2, kSwatch, kSwatch, fact.swatch);
      left += kSwatch + 6;
    }
    painter.setPen(theme().muted);
    const QRect rest(left, row.y(), row.right() - wide - 8 - left, row.height());
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(fact.name, Qt::ElideRight, rest.width()));
  }
}

bool FactList::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto at = static_cast<std::size_t>(std::max(0, help->y() - kMargin / 2) / line());
  if (at < facts_.size() && !facts_[at].value.isEmpty()) {
    const Fact& fact = facts_[at];
    QToolTip::showText(help->globalPos(),
                       fact.name + ": " + (fact.tip.isEmpty() ? fact.value : fact.tip), this);
  }
  return true;
}

}  // namespace heddle::gui
