#include "gui/views/bars_delegate.h"

#include <QPainter>
#include <QTableView>
#include <algorithm>

#include "gui/models/result_table.h"
#include "gui/views/hatch.h"
#include "gui/views/theme.h"

namespace heddle::gui {
namespace {

using run::Verdict;

QRectF bar_rect(const QRect& cell) {
  const double height = 13;
  return {cell.x() + double{BarsDelegate::kBarMargin}, cell.center().y() - height / 2 + 1,
          cell.width() - 2.0 * BarsDelegate::kBarMargin, height};
}

QColor verdict_color(Verdict verdict) {
  if (verdict == Verdict::kFits) return theme().good;
  return verdict == Verdict::kTooClose ? theme().warn : theme().bad;
}

}  // namespace

BarsDelegate::BarsDelegate(const ResultTable& table, QObject* parent)
    : QStyledItemDelegate(parent), table_(table) {}

double BarsDelegate::bar_length(double value, double full, int width) {
  return full <= 0 ? 0 : value / full * (width - 2 * kBarMargin);
}

int BarsDelegate::row_height(const ResultTable& table, int row) {
  const int text = QFontMetrics(ui_font()).height();
  const auto index = table.case_of(row);
  if (!index) return 2 * text + 14;
  const bool fits = table.results()->cases[*index].memory.fits();
  return text + 8 + (fits ? 0 : QFontMetrics(ui_font(-1)).height());
}

void BarsDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  painter->save();
  const auto result = table_.case_of(index.row());
  if (!result) {
    paint_group(*painter, option.rect, index);
  } else {
    if (option.state.testFlag(QStyle::State_Selected)) {
      painter->fillRect(option.rect, theme().raised);
      if (index.column() == 0) {
        painter->fillRect(option.rect.x(), option.rect.y(), 3, option.rect.height(),
                          theme().accent);
      }
    }
    QRect line = option.rect;
    line.setHeight(QFontMetrics(ui_font()).height() + 8);
    if (index.column() == ResultTable::kTimeBar) {
      paint_time(*painter, line, *result);
    } else if (index.column() == ResultTable::kMemoryBar) {
      paint_memory(*painter, line, *result);
      const auto* list = qobject_cast<const QTableView*>(option.widget);
      const int more = list == nullptr ? 0 : list->columnWidth(ResultTable::kTimeBar);
      paint_reason(*painter, option.rect.adjusted(-more, 0, 0, 0), *result);  // below both bars
    } else {
      paint_cell(*painter, line, index);
    }
  }
  painter->restore();
}

void BarsDelegate::paint_group(QPainter& painter, const QRect& rect,
                               const QModelIndex& index) const {
  const QString text = index.data().toString();
  const qsizetype colon = text.indexOf(':');
  const QRect line = rect.adjusted(12, 9, -8, 0);
  painter.setFont(ui_font(0, true));
  painter.setPen(theme().text);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignTop, text.left(colon));
  const int shift = painter.fontMetrics().horizontalAdvance(text.left(colon)) + 10;
  painter.setFont(ui_font());
  painter.setPen(theme().muted);
  painter.drawText(line.adjusted(shift, 0, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                   text.mid(colon + 1).trimmed());
  const int down = painter.fontMetrics().height() + 1;
  painter.setFont(ui_font(-1));
  painter.drawText(line.adjusted(0, down, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                   index.data(Qt::ToolTipRole).toString());
}

/// Where the bar of A ended.
void BarsDelegate::paint_pinned(
    QPainter& painter, const QRect& rect, const QRectF& bar, std::size_t index,
    const std::function<double(const run::CaseResult&)>& length_of) const {
  const run::CaseResult* before = table_.pinned_of(index);
  if (before == nullptr) return;
  const double x = bar.left() + length_of(*before);
  painter.fillRect(QRectF(x - 1, rect.top() + 3.0, 2, rect.height() - 6.0), theme().text);
}

void BarsDelegate::paint_time(QPainter& painter, const QRect& rect, std::size_t index) const {
  const run::CaseResult& result = table_.results()->cases[index];
  const QRectF bar = bar_rect(rect);
  const auto full = static_cast<double>(table_.longest_step().ps);
  const StepParts parts = step_parts(result);
  double done = 0;
  for (std::size_t p = 0; p < kStepPartCount; ++p) {
    // Edges from sums, so that the bar ends where its step does.
    const double left = bar.left() + bar_length(done, full, rect.width());
    done += static_cast<double>(parts[p].ps);
    const double right = bar.left() + bar_length(done, full, rect.width());
    painter.fillRect(QRectF(left, bar.top(), right - left, bar.height()), theme().parts[p]);
  }
  paint_pinned(painter, rect, bar, index, [full, width = rect.width()](const run::CaseResult& a) {
    return bar_length(static_cast<double>(a.step_time.ps), full, width);
  });
  if (!result.memory.fits()) {
    const double length = bar_length(done, full, rect.width());
    fill_hatch(painter, {bar.left(), bar.top(), length, bar.height()}, theme().panel);
  }
}

void BarsDelegate::paint_reason(QPainter& painter, const QRect& rect, std::size_t index) const {
  const std::string reason = fit_reason(table_.results()->cases[index].memory);
  if (reason.empty()) return;
  painter.setFont(ui_font(-1));
  painter.setPen(verdict_color(table_.results()->cases[index].memory.verdict));
  const QRect line = rect.adjusted(kBarMargin, 0, -kBarMargin, -3);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignBottom,
                   painter.fontMetrics().elidedText(QString::fromStdString(reason), Qt::ElideRight,
                                                    line.width()));
}

void BarsDelegate::paint_memory(QPainter& painter, const QRect& rect, std::size_t index) const {
  const run::MemoryReport& memory = table_.results()->cases[index].memory;
  const QRectF bar = bar_rect(rect);
  const auto full = static_cast<double>(table_.most_memory().value);
  double done = 0;
  const auto part = [&](Bytes bytes, const QColor& color) {
    const double left = bar.left() + bar_length(done, full, rect.width());
    done += static_cast<double>(bytes.value);
    const double right = bar.left() + bar_length(done, full, rect.width());
    painter.fillRect(QRectF(left, bar.top(), right - left, bar.height()), color);
  };
  const QRectF room(bar.left(), bar.top(),
                    bar_length(static_cast<double>(memory.capacity.value), full, rect.width()),
                    bar.height());
  painter.fillRect(room, theme().raised);
  part(memory.context + memory.nccl, theme().layers[kOverheadLayer]);
  for (std::size_t c = 0; c < memory.at_peak.size(); ++c) {
    part(memory.at_peak[c], theme().layers[kFirstCategoryLayer + c]);
  }
  part(memory.peak_reserved - memory.peak_allocated, theme().layers[kCachedLayer]);
  if (!memory.fits()) {
    const double length = bar_length(done, full, rect.width());
    fill_hatch(painter, {bar.left(), bar.top(), length, bar.height()}, theme().panel);
  }
  paint_pinned(painter, rect, bar, index, [full, width = rect.width()](const run::CaseResult& a) {
    return bar_length(static_cast<double>(a.memory.driver().value), full, width);
  });
  painter.fillRect(QRectF(room.right() - 1, rect.top() + 3.0, 2, rect.height() - 6.0),
                   verdict_color(memory.verdict));
}

void BarsDelegate::paint_cell(QPainter& painter, const QRect& rect,
                              const QModelIndex& index) const {
  const run::CaseResult& result = table_.results()->cases[*table_.case_of(index.row())];
  const bool fits = index.column() == table_.column_of("fits");
  const bool strong = index.column() == 0 || fits;
  painter.setFont(ui_font(0, strong));
  painter.setPen(fits ? verdict_color(result.memory.verdict) : theme().text);
  const auto alignment =
      static_cast<Qt::Alignment>(index.data(Qt::TextAlignmentRole).toInt()) | Qt::AlignVCenter;
  const QRect inner = rect.adjusted(index.column() == 0 ? 12 : 7, 0, -7, 0);
  painter.drawText(
      inner, static_cast<int>(alignment),
      painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, inner.width()));
}

}  // namespace heddle::gui
