#include "gui/views/error_list.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHeaderView>
#include <QShortcut>
#include <algorithm>

#include "gui/models/error_table.h"
#include "gui/views/error_delegate.h"
#include "gui/views/theme.h"

namespace heddle::gui {

ErrorList::ErrorList(QWidget* parent) : QTableView(parent), table_(new ErrorTable(this)) {
  setModel(table_);
  setItemDelegate(new ErrorDelegate(*table_, this));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);
  setShowGrid(false);
  setWordWrap(false);
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setStretchLastSection(true);
  setAccessibleName("Errors of the prediction");
  auto* copying = new QShortcut(QKeySequence::Copy, this);
  copying->setContext(Qt::WidgetShortcut);
  connect(copying, &QShortcut::activated, this,
          [this] { QApplication::clipboard()->setText(QString::fromStdString(table_->to_tsv())); });
}

void ErrorList::set_report(const std::shared_ptr<const ValidationReport>& report) {
  table_->set_report(report);
  clearSpans();
  for (int row = 0; row < table_->rowCount(); ++row) {
    if (table_->is_heading(row)) setSpan(row, 0, 1, table_->columnCount());
  }
  fit();
}

void ErrorList::fit() {
  const QFontMetrics metrics(ui_font(0, true));
  verticalHeader()->setDefaultSectionSize(metrics.height() + 5);
  wanted_width_ = 14;  // the scroll bar
  for (int c = 0; c < table_->columnCount(); ++c) {
    int wide = metrics.horizontalAdvance(
        table_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString());
    for (int row = 0; row < table_->rowCount(); ++row) {
      if (table_->is_heading(row)) continue;
      wide = std::max(wide, metrics.horizontalAdvance(table_->index(row, c).data().toString()));
    }
    wide += c == 0 ? 22 : 14;
    if (c == ErrorTable::kError) wide += ErrorDelegate::bar_width();
    setColumnWidth(c, wide);
    wanted_width_ += wide;
  }
}

void ErrorList::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) fit();
  QTableView::changeEvent(event);
}

}  // namespace heddle::gui
