#include "gui/views/error_delegate.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/models/error_table.h"
#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

constexpr int kBar = 52;
constexpr int kMargin = 7;

QColor color_of(const QModelIndex& index) {
  switch (static_cast<Judgement>(index.data(ErrorTable::kJudgementRole).toInt())) {
    case Judgement::kTooMuch:
      return theme().over;
    case Judgement::kTooLittle:
      return theme().under;
    default:
      return theme().muted;
  }
}

}  // namespace

ErrorDelegate::ErrorDelegate(const ErrorTable& table, QObject* parent)
    : QStyledItemDelegate(parent), table_(table) {}

double ErrorDelegate::bar_share(double error, double tolerance) {
  return tolerance > 0 ? std::clamp(error / (2 * tolerance), -1.0, 1.0) : 0;
}

int ErrorDelegate::bar_width() {
  return kBar + kMargin;
}

void ErrorDelegate::paint_bar(QPainter& painter, const QRect& rect,
                              const QModelIndex& index) const {
  const QRectF bar(rect.x() + kMargin, rect.center().y() - 4, kBar, 9);
  painter.fillRect(bar, theme().raised);
  const double middle = bar.center().x();
  const double share = bar_share(index.data(ErrorTable::kErrorRole).toDouble(), table_.tolerance());
  const double end = middle + share * kBar / 2;
  painter.fillRect(QRectF(std::min(middle, end), bar.top(), std::abs(end - middle), bar.height()),
                   share > 0 ? theme().over : theme().under);
  painter.fillRect(QRectF(middle - 0.5, bar.top() - 3, 1, bar.height() + 6), theme().text);
  for (const double tick : {-0.5, 0.5}) {
    painter.fillRect(QRectF(middle + tick * kBar / 2 - 0.5, bar.top(), 1, bar.height()),
                     theme().muted);
  }
}

void ErrorDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
  painter->save();
  const bool heading = table_.is_heading(index.row());
  if (option.state.testFlag(QStyle::State_Selected)) {
    painter->fillRect(option.rect, theme().raised);
  }
  const bool error = index.column() == ErrorTable::kError;
  if (error && index.data(ErrorTable::kErrorRole).isValid()) {
    paint_bar(*painter, option.rect, index);
  }
  const bool word = index.column() == ErrorTable::kWord;
  painter->setFont(ui_font(heading ? -1 : 0, index.row() == 0));
  painter->setPen(heading ? theme().muted : word || error ? color_of(index) : theme().text);
  if (error && color_of(index) == theme().muted) painter->setPen(theme().text);
  const auto alignment =
      static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt()) | Qt::AlignVCenter;
  const QRect inner = option.rect.adjusted(index.column() == 0 ? 12 : 4, 0, -6, 0);
  painter->drawText(
      inner, static_cast<int>(alignment),
      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, inner.width()));
  painter->restore();
}

}  // namespace heddle::gui
